"""Chinese, simplified and traditional: `fold` maps traditional characters to simplified ones before matching.

Chinese has no blanks, so many hits of a naive search are parts of other words (脚本|周期, 说明|天气, 以后|天数); the
lookarounds below name the neighbours that make such words.
"""

from __future__ import annotations

from memdir.core.dates.table import STANDARD_WINDOW, Language, Rule, Wording

# Traditional and simplified character, as far as the patterns below look at them or at words beside them.
_PAIRS = (
    "後后 週周 禮礼 個个 這这 兩两 幾几 數数 點点 時时 間间 會会 話话 過过 開开 於于 將将 與与 說说 證证 聲声 發发 鐘钟 頭头 條条 氣气 線线 還还 內内 結结 創创 註注 "
    "冊册 閉闭 動动 裡里 邊边 現现 範范 圍围 據据 實实 際际 獲获 轉转 換换 舊旧 對对 處处 劃划 計计 預预 約约 從从 雙双 單单 報报 賬账 帳账 額额 餘余 價价 盤盘 熱热 "
    "門门 檔档 濾滤 錄录 辦办 長长 總总 歲岁 齡龄 輕轻 頁页 欄栏 標标 籤签 視视 當当 連连 關关 讓让 給给 圖图 層层 顯显 選选 擇择 項项 環环 臨临 變变 運运 復复 複复 "
    "練练 遲迟 遷迁 啟启 設设 檢检 測测 產产 請请 應应 須须 種种 類类 輪轮 詢询 駐驻 滿满 務务 業业 訂订 購购 買买 簽签 階阶 壓压 縮缩 確确 認认 寫写 讀读 編编 譯译 "
    "剛刚 陣阵 準准 備备 試试 態态 則则 慣惯 離离 節节 屬属 統统 達达 遠远 進进 異异 夠够 醫医 員员 團团 隊队 們们 為为 沒没 無无 爲为 並并 歸归 刪删 觸触 級级 續续 "
    "緩缓 組组 終终 紹绍 "
)
_FOLD = {ord(pair[0]): ord(pair[1]) for pair in _PAIRS.split()}

_WEEK = "(?:周|星期|礼拜)"
_ONE_OF_WEEK = "[一二三四五六日天]"
_LIST = r"\s*(?:[、/／,，~～—\-+]|和|与|及|或|到|至|减去?|加上?|对比|比|环比|同比)\s*"

# "yesterday's price", "this month's bill": names of figures and of parts of a page, not statements.
_TERMS = (
    r"的?(?:结算|收盘|开盘|收益|待办|数据(?!库)|推荐|余额|成交|价格|行情|排行|热门|热榜|热点|账单|订单|新增|活跃|统计|报表|快照|分区|汇率|净值|盈亏|播放|访问量|销量"
    r"|特价|头条|方舟|说法|新闻|天气|日期|时间戳|零点|值|流失|留存|运势|特惠|优惠|必读|速递)(?![^，。,.]{0,5}(?:损坏|失败|出错|丢失|崩溃|异常|不对|了))"
)
# Counted from an event, not from the day of writing: "删除后30天", "上线两周前", "日志保留90天后".
_ACTION = (
    "创建|提交|发布|发版|上线|登录|注册|过期|到期|保留|保存|完成|合并|更新|生成|打开|收到|安装|购买|下单|发货|关闭|签署|部署|上传|激活|试用|超时|闲置|满|冻结|截止"
    "|开始|结束|启动|入职|离职|会议|活动|考试|每|第|最多|至少|不超过|超过|超出|长达|为期|持续|距离?|提前|延后|推迟|滞后|延迟|前|后|期限|节日|放假"
)
_HOLDER = "令牌|会话|链接|验证码|密码|日志|数据|备份|快照|工单|通知|缓存|记录|文件|草稿|条目"

# A bare "end of the month" counts where something is due then; otherwise it is a habit or a season.
_DUE = r"\s*(?:之?前|以前|到期|完成|上线|下线|结束|交付|发布|迁移|批|停|关停|要|将|会(?![计议])|必须|截止|能|可以|[，。,.;；]|$)"

_GENERIC_VALUE = (
    r"(?:列出|汇总|展示|计算|依赖|返回|默认(?:为|是|查询|显示|取|使用)?|显示|查询|统计|筛选|表示|等于|大于|小于|早于|晚于|[<>=]|选择|选项|按|比如|例如|如果|假如|只要|若|当|是否(?:为|是)?|包括|包含|对比|比较"
    r"|生成|抓取|拉取|读取|同步)\s*"
)
_RELATIVE = "(?:[今昨明前后]天|[今昨明]日|[上下本这]个?(?:周|月|季度)|[今明去]年|过去|将来|现在)"

LANGUAGE = Language(
    code="zh",
    fold=_FOLD,
    space=r"[ \t]?",
    left_edge=r"(?<![\d.])",
    right_edge="",
    anchors=(
        r"[昨今明][天日晚夜儿早晨年]|[前后][天年]|去年|刚才|[天日周期拜月度年时头钟](?:多|左右|半)?(?:以|之)?[前后]|[上下本这]一?个?(?:周|星期|礼拜|月|季|半年)"
        r"|(?:周|星期|礼拜)[一二三四五六日天末]|[月年度季]\s?[底末]|前[几些阵段]|这[几两]天|不久|近日|日前|最近|近期|过去|未来|接下来|会话"
    ),
    numerals="零〇一二三四五六七八九十百两",
    approximate=frozenset({"几", "数", "好几", "十几", "几十"}),
    slots={
        "day": {
            "大前天": -3,
            "前天": -2,
            "昨天": -1,
            "昨日": -1,
            "昨晚": -1,
            "昨夜": -1,
            "昨儿": -1,
            "今天": 0,
            "今日": 0,
            "今晚": 0,
            "今夜": 0,
            "今早": 0,
            "今晨": 0,
            "今儿": 0,
            "明天": 1,
            "明日": 1,
            "明早": 1,
            "明晚": 1,
            "明晨": 1,
            "明儿": 1,
            "后天": 2,
            "大后天": 3,
            "刚才": 0,
        },
        "n": {"几": 3, "数": 3, "好几": 4, "十几": 15, "几十": 30, "半": 0.5},
        "n2": {n: i + 1 for i, n in enumerate("一二三四五六七八九十")} | {"两": 2, "数": 3, "几": 3},
        "around": {"大约": 1, "大概": 1, "约": 1, "差不多": 1, "将近": 1},
        "half": {"半": 0.5},
        "unit": {
            "天": "day",
            "周": "week",
            "星期": "week",
            "个星期": "week",
            "礼拜": "week",
            "个礼拜": "week",
            "个月": "month",
            "个季度": "quarter",
            "季度": "quarter",
            "年": "year",
            "小时": "hour",
            "个小时": "hour",
            "个钟头": "hour",
            "分钟": "minute",
        },
        "unit2": {
            "天": "day",
            "周": "week",
            "星期": "week",
            "个星期": "week",
            "礼拜": "week",
            "个礼拜": "week",
            "个月": "month",
            "个季度": "quarter",
            "季度": "quarter",
            "年": "year",
        },
        "which": {"上上": -2, "上": -1, "这": 0, "本": 0, "下": 1, "下下": 2},
        "which2": {"前年": -2, "去年": -1, "今年": 0, "明年": 1, "后年": 2},
        "period": {
            "周": "week",
            "星期": "week",
            "礼拜": "week",
            "月": "month",
            "季度": "quarter",
            "季": "quarter",
        },
        "weekday": {"一": 0, "二": 1, "三": 2, "四": 3, "五": 4, "六": 5, "日": 6, "天": 6},
        "month": {
            **{str(i): i for i in range(1, 13)},
            **{n: i + 1 for i, n in enumerate("一 二 三 四 五 六 七 八 九 十 十一 十二".split())},
        },
    },
    rules=(
        Rule(
            "offset",
            "(?:{around} )?{n}个{half}月(?:以|之)?前",
            shift=-1,
            unit="month",
            not_before=f"(?:{_ACTION})(?:后|了|的)?\\s*",
        ),
        Rule(
            "offset",
            "(?:{around} )?{n}个{half}月(?:以|之)?后",
            shift=1,
            unit="month",
            not_before=f"(?:{_ACTION}|{_HOLDER})(?:后|了|的)?\\s*",
        ),
        Rule(
            "offset",
            "(?:{around} )?{n} {unit}(?:多|左右)?(?:以|之)?前(?!后|端|台)",
            shift=-1,
            not_before=f"(?:{_ACTION}|[\\d年月])(?:后|了|的)?\\s*",
            not_after="(?:提醒|通知|预警|冻结|申请|告知|必须|需要?)",
        ),
        # "三日前" is an age; "15日前" is a deadline within a month.
        Rule(
            "offset",
            "{n2}日(?:以|之)?前(?!后)",
            shift=-1,
            unit="day",
            not_before=f"(?:{_ACTION}|[\\d年月于在请])\\s*",
        ),
        Rule(
            "vague",
            "前几天|前些天|前些日子|前阵子|前一阵子?|前段时间|前不久|不久前|不久之前|(?:这[几两]天)",
            shift=-1,
            not_before="[月年每周初]|之|以|[上下]旬",
        ),
        Rule(
            "offset",
            "(?:{around} )?{n} {unit2}(?:多|左右)?(?:以|之)?后(?!端|台|续|缀|面|期|门|援|退|悔|果|勤)",
            shift=1,
            needs="!past",
            not_before=f"(?:{_ACTION}|{_HOLDER}|[\\d年月])(?:后|了|的)?\\s*",
            not_after=r"(?:仍|还|再)?(?:自动|未|没有|无人|不再|才能|方可|触发|重试|又|被)|的|(?:会|将|则)?被?(?:自动)?(?:清理|清除|回收|归档|关闭|删除|失效|消失)",
        ),
        Rule(
            "window",
            "(?:过去|最近|近|这)的? (?!" + STANDARD_WINDOW + "){n} {unit2}(?:以来|内|里|中|间|来)?",
            shift=-1,
            needs="past",
        ),
        Rule("window", "(?:未来|接下来)的? (?!" + STANDARD_WINDOW + "){n} {unit2}(?:内|里|中|间)?", shift=1),
        Rule("weekday", "{which}个?" + _WEEK + "{weekday}(?!志|数据)", unit="week", not_before="[以线网如]"),
        Rule("period", "{which}个?" + _WEEK + "末", unit="weekend", not_before="[以线网如]"),
        Rule(
            "weekday",
            _WEEK + "{weekday}(?![志次个数轮天]|年)",
            shift=None,
            not_before=rf"[上下本这每各逢隔单双前后第个半一两二三四五六七八九十几数\d]\s*|(?:周|星期|礼拜){_ONE_OF_WEEK}?{_LIST}|(?:[隔每单双]周|除了?|只在|仅在|限|不要在?|别在?|禁止在?|避免在?|不得在|不能在|勿在)",
            not_after=rf"{_LIST}(?:周|星期|礼拜)?{_ONE_OF_WEEK}|\s*(?:例会|站会|例行|固定|不要|别|禁止|不得|不能|不可|勿|通常|一般|都|均|才|轮休|休息|值班|办公"
            r"|不(?:部署|发布|上线|合并|发版|开会|办公|上班)|的?(?:周会|例会|定时|任务|作业|备份|班次))",
            unless="总是|通常|一般|惯例|如果|若|凡|默认|从不|避免|轮班|排班|每隔|定时",
        ),
        Rule("monthday", "{which}个?月{dom}[日号]", not_before="[以线网如]"),
        Rule("end", "{which}个?月[底末]", unit="month", not_before="[以线网如]"),
        Rule("end", "{which}个?季度?[底末]", unit="quarter", not_before="[以线网如]"),
        Rule("end", "{which2}年?[底末]", unit="year"),
        Rule(
            "end",
            "月[底末]",
            unit="month",
            only_after=_DUE,
            not_before=r"[\d一二三四五六七八九十两每各个本下上这当次该腊正]\s*",
        ),
        Rule(
            "end",
            "季度?末",
            unit="quarter",
            only_after=_DUE,
            not_before=r"[\d一二三四每各个本下上这当次该]\s*",
        ),
        Rule(
            "end",
            "年[底末]",
            unit="year",
            only_after=_DUE,
            not_before=r"[\d〇零一二三四五六七八九每各个当次该年度本周历]\s*",
        ),
        Rule("half", "(?:{which2}的?)?上半年", shift=1, not_before=r"[\d年度每各]\s*"),
        Rule("half", "(?:{which2}的?)?下半年", shift=2, not_before=r"[\d年度每各]\s*"),
        Rule("month", "(?<![说证表声过除失以之])(?<![如至当迄]){which2}的?{month}月份?{dom}[日号]"),
        Rule(
            "month",
            "(?<![说证表声过除失以之])(?<![如至当迄]){which2}的?{month}月份?(?![\\d一二三四五六七八九十])",
        ),
        Rule(
            "period",
            "(?:(?<![说证表声])(?=明)|(?<![过除失])(?=去)|(?<![如至当迄])(?=今)|(?<![以之目空日])(?=前)|(?<![以之今前])(?=后))"
            "{which2}(?!度|龄|轻|薪|限|代|级|份)",
            unit="year",
            not_after=rf"{_LIST}{_RELATIVE}",
            not_before=f"{_GENERIC_VALUE}|{_RELATIVE}(?:{_TERMS})?{_LIST}",
        ),
        Rule(
            "period",
            "(?<![以线网如])(?<![基版样根资剧成脚课文书副标]){which}个?{period}"
            r"(?![期围边转密长全身岁旬记刊历志球亮经台光薪饼年节]|报(?![告了错警修])|[一二三四五六日天末])",
            not_after=f"{_TERMS}|{_LIST}{_RELATIVE}",
            not_before=f"{_GENERIC_VALUE}|{_RELATIVE}(?:{_TERMS})?{_LIST}|上(?=下)",
        ),
        Rule(
            "period",
            "上一?个?季度",
            shift=-1,
            unit="quarter",
            not_before="以|线",
            not_after=f"{_TERMS}|{_LIST}{_RELATIVE}",
        ),
        Rule(
            "period",
            "下一?个?季度",
            shift=1,
            unit="quarter",
            not_before="以|线",
            not_after=f"{_TERMS}|{_LIST}{_RELATIVE}",
        ),
        Rule(
            "day",
            "(?:(?<![说表声发透文聪标注阐])(?<!(?<![可签执份驶业学])证)(?=明)|(?<![如至当迄])(?=今)|(?<![以之大])(?=前天)|(?<![以之今然背随最前大])(?=后天)|(?=[昨大刚]))"
            "(?![今昨明]日(?:志|期|程|历|本|语|元|常)|[今明]天气|[前后]天(?:线|窗|空|气|然|花板|井|数(?!据|量))|后天(?:性|免|培|养|教|形|获|缺|失|因|环)|前天才)"
            "{day}",
            not_after=f"{_TERMS}|{_LIST}{_RELATIVE}|是(?:否|不是)?(?:节假日|周末|工作日)",
            not_before=f"{_GENERIC_VALUE}|{_RELATIVE}(?:{_TERMS})?{_LIST}",
            unless="的(?:今天|明天)[,，]",
        ),
        Rule("vague", "不久后|不久之后|过几天|过些天|过段时间|过一阵子?", shift=1),
        Rule("vague", "近日|日前", shift=-1, only_before=r"(?:^|[，。；：,.;:*])\s*"),
        Rule(
            "vague",
            "最近",
            shift=-1,
            needs="past",
            not_after=r"\s*(?:的|一|使用|打开|访问|更新|修改|添加|播放|浏览|活动|联系|邻|点|文件|项目|搜索|提交|登录|可用|匹配|距离|公共|[\d两二三四五六七八九十几数n])",
            not_before="离|距|按|显示|查看|列出|在|与|和|以|据|从|取|找",
        ),
        Rule(
            "vague",
            "近期",
            shift=1,
            not_after="(?!(?:将|会|要|内|就|计划|准备|打算|可能|下线|上线|发布|迁移))",
        ),
        Rule(
            "day",
            "在?(?:本|这|此)次会话(?:中|里|内)?",
            needs="past",
            not_after="的(?:token|令牌|上下文|标识|状态|id)|存储|标识|id|仅|有效",
        ),
        Rule(
            "vague",
            "下次会话",
            shift=1,
            not_after="开始|启动|时|前|自动|会|的",
            only_after=r"\s*(?:中|里)?\s*(?:要|再|继续|完成|处理|修|补|收尾|接着)",
        ),
    ),
    past="了(?!解|吗)|过(?![期滤程去度于多长大载几段些户])|已经?|曾经?|刚|才(?!能|可)|以来",
    future="将|(?<![划例周站开大晨审协委董理展])会(?![议计话员签])|要|计划|预计|开始|准备|之前|前(?!天|年|端|台)|必须|生效|到期|截止|上线|启动",
    unless="每(?:天|日|周|月|年|次|个|逢|晚|早|当|季|到|隔)|凡是|例如|比如|一律|总是",
    as_of=r"(?:截至|截止到?|截至到|基于)\s*{date}",
    deadline_before=(
        r"(?:截止(?:日期|时间|日)|截止(?=[:：])|到期日?|期限|最晚|最迟|直到|保留到|冻结到|冻结至|持续到|持续至|延(?:长|期|后)(?:到|至)|推迟(?:到|至)|有效期(?:到|至)?|不晚于|计划于?|预计|定于"
        r"|交付日|上线日|发布日|到|(?<!截)至)(?:是|为|在|到|至|于)?[\s:：*_（(]{0,4}"
    ),
    deadline_after=r"\s*(?:之?前|以前|截止|到期|为止|止(?!损)|过期|失效|结束|上线|下线|停用|关停|冻结|交付)",
    history="了|已(?:经)?|曾|当时|过去|✅|\\[x\\]",
    wording=Wording(
        spaced=True,
        halves=("上", "下"),
        bare={
            "day": "{date}",
            "week": "{date} 那一周",
            "weekend": "{date} 那个周末",
            "month": "{year} 年 {m} 月",
            "quarter": "{year} 年第 {quarter} 季度",
            "half": "{year} 年{half}半年",
            "year": "{year} 年",
            "range": "{date} 至 {last}",
            "around": "{date} 前后",
            "end-week": "{monday} 那一周的周末",
            "vague": "{text}（截至 {date}）",
        },
        adverb={},
        parts={
            "今晚": "{date} 晚上",
            "今夜": "{date} 夜里",
            "今早": "{date} 早上",
            "今晨": "{date} 清晨",
            "昨晚": "{date} 晚上",
            "昨夜": "{date} 夜里",
            "明早": "{date} 早上",
            "明晚": "{date} 晚上",
            "明晨": "{date} 清晨",
        },
    ),
)
