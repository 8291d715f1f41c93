// The row of phases is longer than a phone is wide: the present one stays in sight.

function show() {
  const now = document.querySelector(".phases [aria-current]");
  const row = now?.parentElement;
  if (row) row.scrollLeft = now.offsetLeft - row.offsetLeft - (row.clientWidth - now.offsetWidth) / 2;
}

document.addEventListener("table:changed", show);
show();
