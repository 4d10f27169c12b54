"""Lenses, hints and the commands behind them."""

from __future__ import annotations

MESSAGES: dict[str, str] = {
    # code lenses
    "created {age}, not verified since": "创建：{age}，此后未核实",
    "last changed {age}, never verified": "上次修改：{age}，从未核实",
    "last verified {age}": "上次核实：{age}",
    "created {created}, last verified {age}": "创建：{created}，上次核实：{age}",
    "referenced by no memory": "没有记忆引用它",
    "referenced by 1 memory": "被 1 条记忆引用",
    "referenced by {count} memories": "被 {count} 条记忆引用",
    "listed in the index": "已列入索引",
    "not in the index: add it": "不在索引中：添加",
    "verify citations": "核实引用位置",
    # what lenses show
    "No other memory refers to this one.": "没有其他记忆引用它。",
    "Which of them?": "打开哪一条？",
    "Referenced by {files}.": "被这些记忆引用：{files}。",
    "No index lists this memory.": "没有索引列出这条记忆。",
    "{file}, line {line}": "{file}，第 {line} 行",
    # inlay hints
    "{newest} to {oldest}": "{newest} 至 {oldest}",
    "{file} was last changed on {day} (time of the file).": "{file} 最后修改于 {day}（文件时间）。",
    "{file}: {day} (`{key}` in the header).": "{file}：{day}（文件头中的 `{key}`）。",
    "{meaning}, counted from {day} ({source})": "{meaning}，从 {day} 起算（{source}）",
    "{first} … {last}": "{first} … {last}",
}
