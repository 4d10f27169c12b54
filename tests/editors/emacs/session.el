;;; One session in Emacs with eglot: diagnostics, a code action applied, hover.  -*- lexical-binding: t -*-
;; emacs -Q --batch -l session.el

(setq inhibit-message nil make-backup-files nil auto-save-default nil create-lockfiles nil)
(let ((base "/usr/share/emacs/site-lisp/elpa"))
  (dolist (dir (directory-files base t "\\`\\(eglot\\|jsonrpc\\|flymake\\|project\\|xref\\|eldoc\\|external-completion\\)-"))
    (add-to-list 'load-path dir)))
(require 'eglot)
(require 'flymake)
(require 'json)

(defvar md-memory (getenv "MD_MEMORY"))
(defvar md-repo (getenv "MD_REPO"))
(defvar md-server (list (getenv "MD_PYTHON") "-P" "-m" "memdir.cli.main" "serve"))

(define-derived-mode md-mode text-mode "Memory")
(setq eglot-sync-connect 30
      eglot-autoshutdown t
      eglot-confirm-server-initiated-edits nil)

(defun md-wait (what predicate)
  "Wait until PREDICATE holds; WHAT names it when it never does."
  (let ((end (+ (float-time) 30)) result)
    (while (and (not (setq result (funcall predicate))) (< (float-time) end))
      (accept-process-output nil 0.05))
    (or result (error "waited for %s" what))))

(defvar md-version -1 "Version of the text that the last diagnostics were about.")
(cl-defmethod eglot-handle-notification :after
  (_server (_method (eql textDocument/publishDiagnostics)) &key version &allow-other-keys)
  (when version (setq md-version version)))

(defun md-problems (text)
  "Problems of this buffer whose message holds TEXT."
  (seq-filter (lambda (d) (string-match-p (regexp-quote text) (flymake-diagnostic-text d)))
              (flymake-diagnostics)))

;; The memory lies outside the repository: eglot must be told to which project it belongs
(defun md-project (_dir) (cons 'transient (file-name-as-directory md-repo)))
(setq project-find-functions (list #'md-project))
(find-file (concat md-memory "/project_freeze.md"))
(md-mode)
(eglot '(md-mode) (md-project nil) 'eglot-lsp-server md-server "markdown")
(flymake-start)
(md-wait "diagnostics" (lambda () (md-problems "2026-03-03")))
(let* ((problem (car (md-problems "2026-03-03")))
       (actions (eglot-code-actions (flymake-diagnostic-beg problem) (flymake-diagnostic-end problem) "quickfix" nil))
       (chosen (seq-find (lambda (a) (string-match-p "2026-03-03" (plist-get a :title))) actions))
       (edit (or (plist-get chosen :edit)
                 (plist-get (jsonrpc-request (eglot--current-server-or-lose) :codeAction/resolve chosen :timeout 10)
                            :edit)))
       line)
  (eglot--apply-workspace-edit edit)
  (goto-char (point-min))
  (search-forward "2026-03-03")
  (setq line (buffer-substring-no-properties (line-beginning-position) (line-end-position)))
  ;; Batch mode is never idle, so the timer that sends changes never fires
  (eglot--signal-textDocument/didChange)
  ;; The edit itself removes the overlay; what counts is the server's answer to the changed text
  (md-wait "the problem to go" (lambda () (and (> md-version 0) (null (md-problems "2026-03-03")))))
  (save-buffer)
  (princ (format "\nFACTS %s\n"
                 (json-encode `((title . ,(plist-get chosen :title))
                                (line . ,line)
                                (left . ,(length (md-problems "2026-03-03"))))))))
(eglot-shutdown (eglot--current-server-or-lose))
