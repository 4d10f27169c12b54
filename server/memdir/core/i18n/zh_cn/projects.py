"""Messages of the list of other projects' memory."""

from __future__ import annotations

MESSAGES: dict[str, str] = {
    "1 file": "1 个文件",
    "{count} files": "{count} 个文件",
    "{size} KB": "{size} KB",
    "left behind": "已遗落",
    "no repository is known for it": "不知道它属于哪个仓库",
}
