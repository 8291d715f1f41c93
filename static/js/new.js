// A preset for more players brings its seats along.

document.addEventListener("change", ({ target }) => {
  const least = Number(target.dataset?.least);
  const most = Number(target.dataset?.most);
  const seats = document.querySelector('input[name="seats"]:checked');
  if (!least || !seats) return;
  const fitting = Math.min(Math.max(Number(seats.value), least), most);
  const wanted = document.querySelector(`input[name="seats"][value="${fitting}"]`);
  if (wanted) wanted.checked = true;
});
