"""What the client can do, asked once, as plain yes-or-no questions."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, cast

from memdir.core.i18n import normalise_locale

if TYPE_CHECKING:
    from lsprotocol import types

    from memdir.core.text import Encoding


@dataclass(frozen=True, slots=True)
class Client:
    """The client's abilities that change what the server does.

    `pull`: diagnostics are asked for by the client; only believed of clients that can be told to ask again, for another
    file's change alters them. `resource_operations`: which of create, rename and delete an edit may hold.
    """

    name: str = ""
    encoding: Encoding = "utf-16"
    locale: str = "en"
    pull: bool = False
    related_information: bool = False
    code_description: bool = False
    diagnostic_refresh: bool = False
    lens_refresh: bool = False
    hint_refresh: bool = False
    configuration: bool = False
    configuration_registration: bool = False
    watched_files: bool = False
    folders: bool = False
    apply_edit: bool = False
    document_changes: bool = False
    resource_operations: Collection[str] = ()
    annotations: bool = False
    action_literals: bool = False
    action_resolve: bool = False
    action_preferred: bool = False
    snippets: bool = False
    completion_resolve: Collection[str] = ()
    insert_replace: bool = False
    markdown: bool = False
    link_tooltip: bool = False
    definition_links: bool = False
    symbol_tree: bool = False
    fold_lines_only: bool = False
    progress: bool = False
    show_document: bool = False
    message_request: bool = False
    shows_references: bool = False


def read_client(params: types.InitializeParams, encoding: str) -> Client:
    """The abilities announced in `initialize`; `encoding` is the negotiated position encoding."""
    caps = params.capabilities

    def has(path: str) -> bool:
        return bool(_get(caps, path))

    def names(path: str) -> frozenset[str]:
        found = _get(caps, path)
        return (
            frozenset(str(getattr(x, "value", x)) for x in found)
            if isinstance(found, list | tuple)
            else frozenset()
        )

    refresh = has("workspace.diagnostics.refresh_support")
    formats = [*names("text_document.hover.content_format")]
    info, options = params.client_info, params.initialization_options
    return Client(
        name=info.name if info is not None else "",
        shows_references=isinstance(options, dict) and options.get("showReferences") is True,
        encoding=cast("Encoding", encoding if encoding in ("utf-8", "utf-16", "utf-32") else "utf-16"),
        locale=normalise_locale(params.locale),
        pull=_get(caps, "text_document.diagnostic") is not None and refresh,
        related_information=has("text_document.publish_diagnostics.related_information"),
        code_description=has("text_document.publish_diagnostics.code_description_support"),
        diagnostic_refresh=refresh,
        lens_refresh=has("workspace.code_lens.refresh_support"),
        hint_refresh=has("workspace.inlay_hint.refresh_support"),
        configuration=has("workspace.configuration"),
        configuration_registration=has("workspace.did_change_configuration.dynamic_registration"),
        watched_files=has("workspace.did_change_watched_files.dynamic_registration"),
        folders=has("workspace.workspace_folders"),
        apply_edit=has("workspace.apply_edit"),
        document_changes=has("workspace.workspace_edit.document_changes"),
        resource_operations=names("workspace.workspace_edit.resource_operations"),
        annotations=_get(caps, "workspace.workspace_edit.change_annotation_support") is not None,
        action_literals=_get(caps, "text_document.code_action.code_action_literal_support") is not None,
        action_resolve="edit" in names("text_document.code_action.resolve_support.properties"),
        action_preferred=has("text_document.code_action.is_preferred_support"),
        snippets=has("text_document.completion.completion_item.snippet_support"),
        completion_resolve=names("text_document.completion.completion_item.resolve_support.properties"),
        insert_replace=has("text_document.completion.completion_item.insert_replace_support"),
        markdown=not formats or "markdown" in formats,
        link_tooltip=has("text_document.document_link.tooltip_support"),
        definition_links=has("text_document.definition.link_support"),
        symbol_tree=has("text_document.document_symbol.hierarchical_document_symbol_support"),
        fold_lines_only=has("text_document.folding_range.line_folding_only"),
        progress=has("window.work_done_progress"),
        show_document=has("window.show_document.support"),
        message_request=_get(caps, "window.show_message") is not None,
    )


def _get(value: Any, path: str) -> Any:
    for name in path.split("."):
        value = getattr(value, name, None)
        if value is None:
            return None
    return value
