import "../../board/main.js";
import "./radiation.js";
