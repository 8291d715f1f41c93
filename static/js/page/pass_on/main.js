// Passing a game on, as a page of its own.

import { offer } from "../pass.js";

offer(document.querySelector(".pass-on"));
