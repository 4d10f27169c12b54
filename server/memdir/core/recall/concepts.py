"""A small thesaurus of software work in several languages: words that a person uses for one another.

Lexical search finds only shared words. Each line below is one concept; a query word also finds, at a discount (see
`ranker.py`), memories with another word of its line. Lines hold near synonyms, the same word in other languages and
the commonest product names of a kind; nothing from any particular project. Words of three or more Han characters can't
stand here, since the tokenizer cuts them in two.
"""

from __future__ import annotations

from functools import cache
from itertools import pairwise

from memdir.core.recall.tokens import terms

CONCEPT = "~"
"""Prefix of a concept's term in the index; no term of a text begins with it."""

_LINES = """
deploy deployment release rollout ship publish launch golive ausrollen ausgerollt bereitstellen deployer deploiement desplegar despliegue implantar 发布 部署 上线 デプロイ リリース 배포 출시 релиз деплой nasazeni
production prod live 生产 线上 本番 프로덕션 produktion produccion producao продакшен produkce
staging preprod sandbox 预发 ステージング 스테이징
test spec qa 测试 テスト 테스트 prueba pruebas teste тест testy
mock stub fake 模拟 モック 모의 мок
database db sql 据库 データベース datenbank datos donnees 터베 база databaze
answer reply response respond 回答 回复 答复 返信 답변 응답 antwort antworten reponse repondre respuesta responder resposta ответ отвечать odpoved
language english german french spanish chinese japanese korean russian deutsch englisch anglais francais espanol ingles 语言 中文 英文 英语 日文 言語 英語 언어 영어 한국 sprache langue idioma язык русский английский jazyk
short brief concise terse length verbose 简短 简洁 长度 短 長 簡潔 길이 짧고 간결 kurz knapp bref breve corto кратко короткий strucne
prefer preference favour 喜欢 偏好 好 선호 bevorzugt prefere prefiere предпочитает preferuje
review reviewer approve approval signoff 评审 审查 审核 审批 レビュー 承認 검토 리뷰 승인 revision relecture revisar aprobar freigabe ревью
pr pullrequest mergerequest プルリクエスト
cache caching redis memcached 缓存 キャッシュ 캐시 кеш
log logging 日志 ログ 로그 protokoll journal registro лог
delete remove purge erase retention 删除 清理 削除 삭제 loschen supprimer effacer eliminar borrar удалить удалять smazat
store storage persist keep save 存储 保存 存放 置 저장 speichern ablage stocker guardar almacenar хранить хранятся ulozit
slow latency performance speed fast throughput 慢 延迟 性能 遅 レイテンシ 지연 성능 langsam lent lenteur lento rendimiento медленно pomaly
dashboard board monitor monitoring metrics grafana kibana datadog 看板 监控 指标 ダッシュボード 監視 모니터링 tablero monitoreo мониторинг
bug defect error failure crash exception 缺陷 错误 报错 バグ エラー 버그 오류 fehler erreur ошибка chyba
ticket tracker issue jira linear backlog 工单 チケット 티켓 tarea задача
credential secret password passwd token apikey vault 密码 密钥 凭证 パスワード 비밀 passwort zugangsdaten motdepasse contrasena clave пароль секрет heslo
security secure 安全 セキュリティ 보안 sicherheit securite seguridad seguranca безопасность
customer client tenant 客户 顾客 顧客 고객 kunde kunden cliente клиент zakaznik
user 用户 ユーザー 사용자 nutzer benutzer utilisateur usuario пользователь uzivatel
documentation docs document readme wiki 文档 ドキュメント 문서 dokumentation documentacion documentacao документация dokumentace
oncall pager pagerduty opsgenie rota shift 值班 当番 オンコール 당직 bereitschaft astreinte guardia дежурный дежурство
calendar schedule timetable 日历 排期 カレンダー 일정 kalender calendrier calendario календарь
incident outage postmortem downtime 故障 事故 障害 장애 storung ausfall panne incidente инцидент vypadek
build compile bazel gradle cmake 构建 编译 ビルド 빌드 сборка
ci pipeline jenkins actions 流水
repository repo monorepo 仓库 リポジトリ 저장 depot repositorio репозиторий
merge branch rebase trunk 合并 分支 マージ ブランチ 병합 브랜치 zusammenfuhren fusionner fusionar ветка vetev
freeze lock halt 冻结 封版 凍結 フリーズ 동결 einfrieren gel congelar заморозка
format formatter lint linter style prettier ruff eslint 格式 风格 フォーマット 포맷 formatierung стиль
commit changelog 提交 コミット 커밋 коммит
money budget cost spend price 预算 成本 费用 予算 コスト 예산 비용 kosten cout presupuesto costo бюджет rozpocet
billing invoice rechnung facture factura 账单 发票 請求 청구 счет faktura
payment pay refund charge checkout stripe paypal 支付 付款 退款 支払 返金 결제 환불 zahlung erstattung paiement remboursement pago reembolso pagamento оплата platba
container docker kubernetes k8s pod helm 容器 コンテナ 컨테 контейнер
ram oom heap 内存 メモリ 메모 arbeitsspeicher memoire memoria память
accessibility a11y wcag aria screenreader 障碍 barrierefrei accesibilidad доступность
translate translation i18n l10n localise localize crowdin 翻译 翻訳 번역 ubersetzen ubersetzung traduire traduction traducir traduccion перевод preklad
ui frontend interface button dialog screen 界面 前端 画面 フロントエンド 화면 oberflache interfaz интерфейс rozhrani
toggle featureflag launchdarkly unleash 开关 フラグ
version 版本 バージョン 버전 versione версия verze
upgrade update migrate migration 升级 迁移 アップグレード 移行 업그 이전 aktualisierung mise migracion migracao обновление миграция aktualizace
encrypt encryption tls ssl certificate 加密 证书 暗号 암호 verschlusselung chiffrement cifrado шифрование
permission role access grant 权限 アクセス 権限 권한 berechtigung zugriff permiso acceso доступ opravneni
auth authentication login signin sso oauth session 登录 认证 ログイン 認証 로그 인증 anmeldung connexion autenticacion вход prihlaseni
api endpoint rest 接口 エンドポイント schnittstelle
queue kafka rabbitmq broker 队列 キュー warteschlange cola очередь fronta
backup restore snapshot 备份 バックアップ 백업 sicherung sauvegarde respaldo резервная zaloha
server host machine 务器 サーバー 서버 serveur servidor сервер
laptop notebook 笔记 노트 ноутбук
team colleague 团队 チーム 동료 equipe equipo команда tym
meeting standup sync 会议 会議 ミーティング 회의 besprechung reunion встреча schuzka
deadline due 截止 期限 締切 마감 frist echeance plazo prazo срок termin
holiday vacation leave pto 假期 休暇 휴가 urlaub conges vacaciones отпуск dovolena
legal compliance gdpr privacy 合规 隐私 法律 プライバシー 규정 datenschutz conformite cumplimiento
email mail 邮件 メール 메일 courriel correo почта
chat slack teams channel discord lark 频道 飞书 チャンネル 채널 kanal canal канал
search lookup elasticsearch 搜索 検索 검색 suche recherche busqueda поиск hledani
name naming 命名 名前 이름 benennung nommage nombre имя
comment comments 注释 コメント 주석 kommentar commentaire comentario комментарий
support helpdesk 支持 サポート 지원 soporte suporte поддержка podpora
hour hours time clock 时间 時間 시간 uhr stunde heure hora время hodina
real actual genuine 真实 実際 실제 echt reel reale настоящий
owner responsible maintainer 负责 担当 담당 zustandig verantwortlich responsable dueno ответственный odpovedny
summary recap tldr 总结 要約 요약 zusammenfassung resume resumen итог
explain explanation 解释 説明 설명 erklaren expliquer explicar объяснить vysvetlit
timezone utc 时区 タイムゾーン 시간대 zeitzone
mobile app ios android 移动 手机 モバイル 모바 movil мобильный
experience expert beginner novice newcomer senior junior 经验 新手 専門 경험 erfahrung experiencia опыт
dependency library package 依赖 ライブラリ 의존 abhangigkeit dependance dependencia зависимость
train training finetune gpu 训练 学習 훈련
monday 周一 月曜 montag lundi lunes segunda понедельник pondeli
tuesday 周二 火曜 dienstag mardi martes вторник utery
wednesday 周三 水曜 mittwoch mercredi miercoles среда streda
thursday 周四 木曜 donnerstag jeudi jueves четверг ctvrtek
friday 周五 金曜 freitag vendredi viernes sexta пятница patek
"""

_PHRASES = (
    ("pull", "request", "pullrequest"),
    ("merge", "request", "mergerequest"),
    ("screen", "reader", "screenreader"),
    ("feature", "flag", "featureflag"),
    ("feature", "toggle", "featureflag"),
    ("api", "key", "apikey"),
    ("code", "review", "review"),
    ("go", "live", "golive"),
)


@cache
def _tables() -> tuple[dict[str, str], dict[tuple[str, str], str]]:
    """(term -> concept term, pair of adjacent terms -> concept term)."""
    words: dict[str, str] = {}
    for number, line in enumerate(_LINES.split("\n")):
        for word in line.split():
            found = terms(word)
            if found and (len(found) == 1 or len(word) > 3):
                words.setdefault(found[0], f"{CONCEPT}{number}")
    pairs: dict[tuple[str, str], str] = {}
    for first, second, meant in _PHRASES:
        concept = words.get(terms(meant)[0])
        a, b = terms(first), terms(second)
        if concept and a and b:
            pairs[a[0], b[0]] = concept
    return words, pairs


def concept(term: str) -> str | None:
    """The concept of a search term, if the thesaurus has it. Negated terms have none."""
    return _tables()[0].get(term)


def phrases(found: list[str]) -> list[tuple[str, str]]:
    """(second word of the phrase, concept) for the two-word phrases among adjacent terms."""
    pairs = _tables()[1]
    return [(b, hit) for a, b in pairwise(found) if (hit := pairs.get((a, b)))]
