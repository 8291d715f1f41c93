import "../../board/main.js";
import "../../board/overview.js";
