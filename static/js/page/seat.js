// A seat's own link has its token in the fragment, which no server sees: this gives it, and goes on to the table.

const form = document.getElementById("to-seat");
form.elements.token.value = decodeURIComponent(location.hash.slice(1));
form.action = location.pathname + location.search + location.hash; // a redirect back to here keeps it
form.requestSubmit();
