import "../../board/main.js";
import "./attack.js";
