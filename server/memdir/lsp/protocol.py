"""The wire side of pygls, made total: everything that can be answered is answered, nothing that comes late raises.

pygls drops requests whose parameters it cannot read, fails on custom requests without `params`, and lets a reply to a
cancelled request raise. Texts are kept by `memdir.lsp.buffers`, so pygls' own copies are left out.
"""

from __future__ import annotations

import contextvars
import json
import logging
import time
import traceback
from concurrent.futures import Future
from contextvars import ContextVar
from typing import TYPE_CHECKING, Any

import cattrs
from lsprotocol import converters, types
from pygls.exceptions import JsonRpcInvalidParams
from pygls.protocol import (
    JsonRPCNotification,
    JsonRPCRequestMessage,
    JsonRPCResponseMessage,
    LanguageServerProtocol,
    lsp_method,
)

from memdir.core.i18n import render
from memdir.lsp.failure import REQUEST_FAILED, JobError

if TYPE_CHECKING:
    from pygls.lsp.server import LanguageServer

    from memdir.lsp.server import MemdirServer

logger = logging.getLogger(__name__)

_PARSE_ERROR, _INVALID_REQUEST, _INVALID_PARAMS = -32700, -32600, -32602
_NOT_INITIALIZED = -32002

# The client's own progress token of the command that runs in this context
progress_token: ContextVar[str | int | None] = ContextVar("progress_token", default=None)


def converter() -> cattrs.Converter:
    """Converter for protocol values; errors say less in exchange for half the start-up cost of its functions."""
    return converters.get_converter(cattrs.Converter(detailed_validation=False))


class MemdirProtocol(LanguageServerProtocol):
    """`receive` takes one message body; everything else is called by pygls."""

    _server: MemdirServer

    def __init__(self, server: LanguageServer, converter: cattrs.Converter) -> None:
        super().__init__(server, converter)
        self._traced: dict[
            str | int, tuple[str, float]
        ] = {}  # requests that are timed, while the client traces

    def receive(self, body: bytes) -> None:
        """Handle one message. Never raises: what cannot be read is answered with an error, or logged."""
        try:
            data = json.loads(body)
        except (ValueError, RecursionError) as error:
            self._refuse(None, _PARSE_ERROR, f"not JSON: {error}")
            return
        if not isinstance(data, dict) or data.get("jsonrpc") != self.VERSION:
            ident = data.get("id") if isinstance(data, dict) else None
            self._refuse(ident, _INVALID_REQUEST, "not a JSON-RPC 2.0 message")
            return
        context = contextvars.copy_context()
        if isinstance(data.get("method"), str):
            context.run(self._receive_call, data)
        elif "id" in data:
            context.run(self._receive_reply, data)
        else:
            logger.warning("Ignored a message that is neither call nor reply")

    def _receive_call(self, data: dict[str, Any]) -> None:
        method, given = data["method"], data.get("id")
        ident: str | int | None = (
            given if isinstance(given, str | int) and not isinstance(given, bool) else None
        )
        if ident is None and "id" in data:
            self._refuse(None, _INVALID_REQUEST, "a request's id must be a number or a string")
            return
        if self._shutdown and method != types.EXIT:
            if ident is not None:
                self._refuse(ident, _INVALID_REQUEST, "the server is shutting down")
            return
        if self._workspace is None and method not in (types.INITIALIZE, types.EXIT):
            if ident is not None:
                self._refuse(ident, _NOT_INITIALIZED, "initialize first")
            return
        try:
            params = self._structured(method, data)
        except Exception as error:  # whatever the converter stumbles over, the caller waits for an answer
            logger.warning("Parameters of %s can't be read: %s", method, _reason(error))
            if ident is not None:
                self._refuse(
                    ident, _INVALID_PARAMS, f"parameters of {method} can't be read: {_reason(error)}"
                )
            return
        if ident is not None:
            if self.trace != types.TraceValue.Off:
                self._traced[ident] = (method, time.perf_counter())
            self._handle_request(ident, method, params)
        else:
            self._handle_notification(method, params)

    def _send_handler_result(self, future: Future[Any], *, msg_id: str | int) -> None:
        error = None if future.cancelled() else future.exception()
        if isinstance(error, JobError):
            self._request_futures.pop(msg_id, None)
            text = render(error.message, self._server.client.locale)
            failure = types.ResponseError(code=REQUEST_FAILED, message=text, data=error.data)
            self._send_response(msg_id, error=failure)
        else:
            super()._send_handler_result(future, msg_id=msg_id)
        traced = self._traced.pop(msg_id, None)
        if traced is not None:
            took = (time.perf_counter() - traced[1]) * 1000
            self._server.say(types.MessageType.Log, f"{traced[0]}: {took:.1f} ms")

    def _structured(self, method: str, data: dict[str, Any]) -> Any:
        kind = self.get_message_type(method)
        if kind is None:  # a custom message: plain values, checked by its handler
            return data.get("params")
        return getattr(self._converter.structure(data, kind), "params", None)

    def _receive_reply(self, data: dict[str, Any]) -> None:
        ident = data["id"]
        kind = self._result_types.pop(ident, None)
        future: Future[Any] | None = self._request_futures.pop(ident, None)
        if future is None or future.done():
            logger.debug("Reply to %r comes too late", ident)
            return
        try:
            if "error" in data:
                error = self._converter.structure(data, types.ResponseErrorMessage).error
                detail = f"{error.message} ({error.code})" if error else "no reason given"
                _settle(future, RuntimeError(detail))
            elif kind is None:
                _settle(future, None, data.get("result"))
            else:
                _settle(future, None, self._converter.structure(data, kind).result)
        except Exception as error:  # a reply we can't read is a failed request, not a hanging one
            _settle(future, RuntimeError(f"reply can't be read: {_reason(error)}"))

    def _refuse(self, ident: str | int | None, code: int, message: str) -> None:
        """Answer with an error; a request whose id can't be read has the id null, as JSON-RPC asks."""
        error = {"code": code, "message": message}
        self._send_data({"jsonrpc": self.VERSION, "id": ident, "error": error})

    def send_text(self, method: str, params: str) -> None:
        """A notification whose parameters are JSON text already: spares the converter on the hot path."""
        if self.writer is None:
            return
        body = f'{{"jsonrpc":"2.0","method":"{method}","params":{params}}}'.encode()
        self.writer.write(b"Content-Length: %d\r\n\r\n%b" % (len(body), body))

    def tell(self, method: str, params: Any) -> None:
        """A notification of plain JSON values."""
        self.send_text(method, json.dumps(params))

    def ask(self, method: str, params: Any = None) -> None:
        """A request whose answer does not matter (a refresh); errors are logged only."""

        def done(future: Future[Any]) -> None:
            if not future.cancelled() and (error := future.exception()) is not None:
                logger.debug("%s was refused: %s", method, error)

        self.send_request(method, params).add_done_callback(done)

    def _handle_cancel_notification(self, msg_id: str | int) -> None:
        future = self._request_futures.get(msg_id)
        if future is not None and not future.done():
            future.cancel()

    # Commands: as one task, so that cancelling the request cancels the work (pygls' own leaves it running)

    @lsp_method(types.WORKSPACE_EXECUTE_COMMAND)
    async def lsp_workspace__execute_command(  # type: ignore[override]  # a generator there; pygls runs either
        self, params: types.ExecuteCommandParams
    ) -> Any:
        handler = self.fm.commands.get(params.command)
        if handler is None:
            raise JsonRpcInvalidParams(f"unknown command {params.command}")
        progress_token.set(params.work_done_token)
        return await handler(*(params.arguments or ()))

    # Texts: kept once, by our own buffers

    @lsp_method(types.TEXT_DOCUMENT_DID_OPEN)
    def lsp_text_document__did_open(self, params: types.DidOpenTextDocumentParams) -> None:
        item = params.text_document
        self._server.session.did_open(item.uri, item.version, item.text, item.language_id)

    @lsp_method(types.TEXT_DOCUMENT_DID_CHANGE)
    def lsp_text_document__did_change(self, params: types.DidChangeTextDocumentParams) -> None:
        if params.content_changes:
            last = params.content_changes[-1]
            self._server.session.did_change(params.text_document.uri, params.text_document.version, last.text)

    @lsp_method(types.TEXT_DOCUMENT_DID_CLOSE)
    def lsp_text_document__did_close(self, params: types.DidCloseTextDocumentParams) -> None:
        self._server.session.did_close(params.text_document.uri)


def _settle(future: Future[Any], error: Exception | None, result: Any = None) -> None:
    if future.done():
        return
    if error is not None:
        future.set_exception(error)
    else:
        future.set_result(result)


def _reason(error: BaseException) -> str:
    text = "".join(traceback.format_exception_only(error)).strip()
    return text.splitlines()[-1][:300]


__all__ = [
    "JsonRPCNotification",
    "JsonRPCRequestMessage",
    "JsonRPCResponseMessage",
    "MemdirProtocol",
    "converter",
]
