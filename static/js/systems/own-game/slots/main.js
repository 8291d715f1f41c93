import "../../../board/every.js";
import "../../../slots/main.js";
