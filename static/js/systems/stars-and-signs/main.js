import "../../board/main.js";
import "../../slots/main.js";
