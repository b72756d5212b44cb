import { AppError } from '@tour-ops/contract/errors'
import { useEffect, useEffectEvent, useId, useRef, useState, type ReactNode, type SubmitEvent } from 'react'
import { useFormState, type FieldPath, type FieldValues } from 'react-hook-form'
import { m } from '../../paraglide/messages.js'
import { Banner } from '../banner.tsx'
import { Button } from '../button.tsx'
import { classNames } from '../class-names.ts'
import { Dialog } from '../dialog.tsx'
import { formatPastAge } from '../format.ts'
import { Kbd } from '../kbd.tsx'
import { Ltr } from '../ltr.tsx'
import { PageHead } from '../page.tsx'
import { labelOfField } from './field-for.tsx'
import { problemsOf, problemsOfServer } from './form-errors.ts'
import { refusalText } from './refusal-text.ts'
import type { AppForm, FormDraft } from './use-app-form.ts'

export interface FormShellProps<Values extends FieldValues, Output, Result> {
  form: AppForm<Values, Output>
  /** Of the element, for a button of the dialog's foot that sends it. */
  id?: string | undefined
  /** Sends the values. Throwing an `AppError` shows it: field errors in their places, the rest on top. */
  onSubmit: (values: Output) => Promise<Result>
  /** After saving, when nothing is unsaved: the place to navigate. */
  onSaved?: ((result: Result) => void) | undefined
  /** The draft that `useAppForm` brought back. */
  draft?: FormDraft<Values> | null | undefined
  onDraft?: ((draft: FormDraft<Values> | null) => void) | undefined
  /** Inside the form: fields. The function form gets what the buttons need. */
  children: ReactNode | ((status: FormStatus) => ReactNode)
  className?: string | undefined
  /** Around the draft notice and the list of errors. */
  noticeClassName?: string | undefined
}

export interface FormStatus {
  isPending: boolean
  isDirty: boolean
}

/** A form with its summary of errors, Ctrl+S, pending state and draft notice; the page or dialog around it is free. */
export function FormShell<Values extends FieldValues, Output, Result>(props: FormShellProps<Values, Output, Result>) {
  'use no memo' // The form library changes its state object in place.
  const { form, id, onSubmit, onSaved, draft, onDraft, children, className, noticeClassName } = props
  const [failure, setFailure] = useState<AppError | null>(null)
  const [saved, setSaved] = useState<{ result: Result } | null>(null)
  const [attempt, setAttempt] = useState(0)
  const { isDirty, isSubmitting, errors } = useFormState({ control: form.control })
  const problems = problemsOf(errors)

  const send = form.handleSubmit(
    async (values) => {
      setFailure(null)
      try {
        const result = await onSubmit(values)
        form.reset(form.getValues())
        onDraft?.(null)
        setSaved({ result })
      } catch (error) {
        const refused = AppError.from(error)
        const fields = problemsOfServer(refused.details.fieldIssues)
        for (const { path, message } of fields) form.setError(path as FieldPath<Values>, { type: 'server', message })
        if (fields.length === 0) setFailure(refused)
        setAttempt((count) => count + 1)
      }
    },
    () => setAttempt((count) => count + 1),
  )
  const submit = (event?: SubmitEvent) => {
    event?.preventDefault()
    event?.stopPropagation()
    if (!isSubmitting) void send()
  }
  // After the render that says "nothing unsaved", so that no guard holds the navigation.
  const afterSave = useEffectEvent((result: Result) => onSaved?.(result))
  useEffect(() => {
    if (saved) queueMicrotask(() => afterSave(saved.result))
  }, [saved])
  useSaveKey(() => submit())

  return (
    <form id={id} className={className} onSubmit={submit} noValidate aria-busy={isSubmitting || undefined}>
      <div className={noticeClassName}>
        {draft && isDirty && <DraftNotice draft={draft} onDiscard={() => discard(form, onDraft)} />}
        <ErrorSummary
          attempt={attempt}
          failure={failure}
          problems={problems.map(({ path, message }) => ({
            path,
            label: labelOfField(form.control, path) ?? path,
            message,
          }))}
          onGo={(path) => form.setFocus(path as FieldPath<Values>)}
        />
      </div>
      {typeof children === 'function' ? children({ isPending: isSubmitting, isDirty }) : children}
    </form>
  )
}

function discard<Values extends FieldValues, Output>(
  form: AppForm<Values, Output>,
  onDraft?: (draft: null) => void,
): void {
  form.reset()
  onDraft?.(null)
}

/** Ctrl+S (⌘S) saves instead of saving the page. */
function useSaveKey(onSave: () => void): void {
  const save = useEffectEvent(onSave)
  useEffect(() => {
    const listen = (event: KeyboardEvent) => {
      if (event.key !== 's' || !(event.ctrlKey || event.metaKey) || event.shiftKey || event.altKey) return
      event.preventDefault()
      save()
    }
    document.addEventListener('keydown', listen)
    return () => document.removeEventListener('keydown', listen)
  }, [])
}

function DraftNotice<Values>({ draft, onDiscard }: { draft: FormDraft<Values>; onDiscard: () => void }) {
  const [now] = useState(() => Date.now())
  return (
    <div className="mb-4">
      <Banner
        role="status"
        tone="info"
        actions={
          <Button size="sm" onClick={onDiscard}>
            {m.ui_form_draft_discard()}
          </Button>
        }
      >
        {m.ui_form_draft_restored({ age: formatPastAge(draft.savedAt, now) })}
      </Banner>
    </div>
  )
}

interface ErrorSummaryProps {
  failure: AppError | null
  problems: readonly { path: string; label: string; message: string }[]
  /** How often sending failed: each time it takes the focus, so that it is read out and Tab leads to the first link. */
  attempt: number
  onGo: (path: string) => void
}

function ErrorSummary({ failure, problems, attempt, onGo }: ErrorSummaryProps) {
  const box = useRef<HTMLDivElement>(null)
  const hasAny = failure !== null || problems.length > 0
  // Once for each attempt: an error that appears while typing must not take the focus.
  const answered = useRef(0)
  useEffect(() => {
    if (!hasAny || answered.current === attempt) return
    answered.current = attempt
    box.current?.focus()
  }, [attempt, hasAny])
  if (!hasAny) return null
  const title = failure ? refusalText(failure) : m.ui_form_errors_title({ count: problems.length })
  return (
    <div ref={box} tabIndex={-1} className="mb-4 rounded-lg">
      <Banner tone="bad" role="alert" framed title={title}>
        {problems.length > 0 && (
          <ul>
            {problems.map(({ path, label, message }) => (
              <li key={path}>
                <button type="button" className="link text-start" onClick={() => onGo(path)}>
                  {label}
                </button>
                {`: ${message}`}
              </li>
            ))}
          </ul>
        )}
        {failure?.details.requestId && (
          <p className="text-xs">
            {m.ui_request_id()} <Ltr>{failure.details.requestId}</Ltr>
          </p>
        )}
      </Banner>
    </div>
  )
}

export interface FormPageProps<Values extends FieldValues, Output, Result> extends FormShellProps<
  Values,
  Output,
  Result
> {
  title: ReactNode
  context?: ReactNode
  /** Next to the title. */
  actions?: ReactNode
  /** The act in one or two words; "Save" without it. */
  submitLabel?: string | undefined
  /** Why it cannot be sent yet. */
  disabledReason?: string | undefined
  onCancel?: (() => void) | undefined
  /** Start of the footer, for instance "Draft kept 4 s ago". */
  footerNote?: ReactNode
  /** Next to the fields from 1280 px. */
  side?: ReactNode
}

/** A whole page that is a form: head, fields in a card, sticky footer with the one filled button. */
export function FormPage<Values extends FieldValues, Output, Result>(props: FormPageProps<Values, Output, Result>) {
  const { title, context, actions, submitLabel, disabledReason, onCancel, footerNote, side, children, ...shell } = props
  return (
    <FormShell {...shell} noticeClassName="px-4 lg:px-6" className="flex min-h-[calc(100dvh-var(--top))] flex-col">
      {(status) => (
        <>
          <div className="order-first">
            <PageHead title={title} context={context} actions={actions} />
          </div>
          <div
            className={classNames(
              'grid flex-1 content-start gap-4 px-4 pb-6 lg:px-6',
              side !== undefined && 'lg:grid-cols-[minmax(0,1fr)_320px]',
            )}
          >
            <div className="card min-w-0 divide-y divide-line self-start">
              {typeof children === 'function' ? children(status) : children}
            </div>
            {side !== undefined && <div className="flex flex-col gap-4 self-start lg:sticky lg:top-20">{side}</div>}
          </div>
          <FormFooter {...status} {...{ submitLabel, disabledReason, onCancel, footerNote }} />
        </>
      )}
    </FormShell>
  )
}

interface FormFooterProps extends FormStatus {
  submitLabel: string | undefined
  disabledReason: string | undefined
  onCancel: (() => void) | undefined
  footerNote: ReactNode
}

/** The save bar, 64 high, at the bottom edge while the page scrolls. */
export function FormFooter({ isPending, isDirty, submitLabel, disabledReason, onCancel, footerNote }: FormFooterProps) {
  return (
    <footer className="form-footer">
      {isDirty && (
        <span className="flex items-center gap-2 font-medium text-ink-strong">
          <span className="dot bg-brand" aria-hidden />
          {m.ui_form_unsaved()}
        </span>
      )}
      <span className="min-w-0 truncate text-ink-2">{footerNote}</span>
      <span className="flex-1" />
      {onCancel && (
        <Button variant="ghost" onClick={onCancel}>
          {m.ui_cancel()}
        </Button>
      )}
      <Button
        variant="primary"
        type="submit"
        pending={isPending}
        disabledReason={disabledReason}
        aria-keyshortcuts="Control+S"
      >
        {submitLabel ?? m.ui_form_save()}
        <span className="max-lg:hidden coarse:hidden" aria-hidden>
          <Kbd keys={['Ctrl S']} />
        </span>
      </Button>
    </footer>
  )
}

export interface FormSectionProps {
  title: string
  /** Place in a sequence: "1 Departure". */
  number?: number | undefined
  /** At the end of the title line. */
  aside?: ReactNode
  /** Fields next to each other from 600 px. */
  columns?: 1 | 2 | 3 | undefined
  children: ReactNode
}

const gridOf = { 1: '', 2: 'sm:grid-cols-2', 3: 'sm:grid-cols-3' }

/** A titled part of a form. */
export function FormSection({ title, number, aside, columns = 2, children }: FormSectionProps) {
  const titleId = useId()
  return (
    <section className="px-4 py-3.5 lg:px-5" aria-labelledby={titleId}>
      <h2 className="mb-2 flex items-center gap-2 text-base font-semibold">
        {number !== undefined && <span className="num text-ink-2">{number}</span>}
        <span id={titleId}>{title}</span>
        {aside !== undefined && <span className="ms-auto text-xs font-normal text-ink-2">{aside}</span>}
      </h2>
      <div className={classNames('grid gap-3', gridOf[columns])}>{children}</div>
    </section>
  )
}

export interface LeaveDialogProps {
  open: boolean
  onStay: () => void
  onLeave: () => void
  /** What is lost; what was typed, where nothing else is said. */
  text?: string | undefined
}

/** Asks before typed work is lost; what guards the navigation opens it. */
export function LeaveDialog({ open, onStay, onLeave, text = m.ui_form_leave_text() }: LeaveDialogProps) {
  // Enter, pressed a moment too soon, loses nothing.
  const stay = useRef<HTMLButtonElement>(null)
  return (
    <Dialog
      open={open}
      onClose={onStay}
      initialFocus={stay}
      title={m.ui_form_leave_title()}
      actions={
        <>
          <Button onClick={onLeave}>{m.ui_form_leave_confirm()}</Button>
          <Button ref={stay} variant="primary" onClick={onStay}>
            {m.ui_form_leave_stay()}
          </Button>
        </>
      }
    >
      {text}
    </Dialog>
  )
}
