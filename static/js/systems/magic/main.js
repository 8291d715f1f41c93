import "../../board/main.js";
import "../../board/preview.js";
import "./radiation.js";
import "./standing.js";
