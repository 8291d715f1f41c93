import "../../board/main.js";
import "./pips.js";
import "./known.js";
import "./split.js";
