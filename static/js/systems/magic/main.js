import "../../board/main.js";
import "../../board/foretold.js";
import "./radiation.js";
import "./standing.js";
