import "../../board/main.js";
import "../../board/preview.js";
import "../../board/fight.js";
import "./radiation.js";
import "./standing.js";
