import "../../board/main.js";
import "../../board/fight.js";
import "./radiation.js";
import "./standing.js";
