"""Recall: ages, caveats, reasons, records, the model client and the hook."""

from __future__ import annotations

MESSAGES: dict[str, str] = {
    "today": "今天",
    "yesterday": "昨天",
    "{days} days ago": "{days} 天前",
    # the model client
    "The model declined to answer.": "模型拒绝回答。",
    "The model's answer was cut off ({reason}).": "模型的回答被截断（{reason}）。",
    "The model's answer is not valid JSON.": "模型的回答不是有效的 JSON。",
    "{cached} cached, {uncached} uncached, {output} output tokens": "{cached} 个缓存、{uncached} 个未缓存、{output} 个输出 token",
    "{cached} cached, {uncached} uncached, {output} output tokens, ${cost}": "{cached} 个缓存、{uncached} 个未缓存、{output} 个输出 token，{cost} 美元",
    "No key for the model service: set ANTHROPIC_API_KEY.": "没有模型服务的密钥：请设置 ANTHROPIC_API_KEY。",
    "The package anthropic can't be loaded ({error}); reinstall memdir.": "无法加载 anthropic 包（{error}）；请重新安装 memdir。",
    "The model did not answer in time.": "模型没有及时回答。",
    "The model did not finish in time.": "模型没有及时完成。",
    "The model service can't be reached ({error}).": "无法连接模型服务（{error}）。",
    "The connection broke off during the answer ({error}).": "回答过程中连接中断（{error}）。",
    "The model service's answer makes no sense ({error}).": "模型服务的回答无法理解（{error}）。",
    "The model service's rate limit is reached.": "已达到模型服务的速率限制。",
    "The model service is overloaded.": "模型服务过载。",
    "The model service refused the key: {error}": "模型服务拒绝了密钥：{error}",
    "The model service knows no such model or address: {error}": "模型服务没有这个模型或地址：{error}",
    "The request is too large for the model service.": "请求对模型服务来说太大。",
    "The model service failed (HTTP {status}).": "模型服务出错（HTTP {status}）。",
    "The model service refused the request: {error}": "模型服务拒绝了请求：{error}",
}
