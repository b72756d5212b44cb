import { AppError } from '@tour-ops/contract/errors'
import { useState, type SubmitEvent } from 'react'
import { problemOf, type Problems } from './identity-errors.ts'

export interface AttemptOptions<Name extends string> {
  /** Names of the fields, in their order. */
  fields: readonly Name[]
  /** Errors that can be found without asking the server. */
  check?: (values: Record<Name, string>) => Problems<Name>
  /** Rejects with an `AppError`, which is shown at its field. */
  act: (values: Record<Name, string>) => Promise<void>
}

export interface Attempt<Name extends string> {
  readonly problems: Problems<Name>
  /** The refusal itself, for offers that depend on its reason. */
  readonly error: AppError | null
  readonly isPending: boolean
  readonly submit: (event: SubmitEvent<HTMLFormElement>) => void
}

/**
 * One of the small forms about accounts. The fields keep what was typed by themselves, whatever the answer is; an error is shown at its field,
 * which gets the focus.
 */
export function useAttempt<Name extends string>({ fields, check, act }: AttemptOptions<Name>): Attempt<Name> {
  const [problems, setProblems] = useState<Problems<Name>>({})
  const [error, setError] = useState<AppError | null>(null)
  const [isPending, setPending] = useState(false)

  const fail = (form: HTMLFormElement, found: Problems<Name>) => {
    setProblems(found)
    const first = fields.find((name) => found[name] !== undefined)
    if (first) form.querySelector<HTMLElement>(`[name="${first}"]`)?.focus()
  }
  const submit = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault()
    if (isPending) return
    const form = event.currentTarget
    const data = new FormData(form)
    const values = Object.fromEntries(fields.map((name) => [name, textOf(data.get(name))])) as Record<Name, string>
    const early = check?.(values) ?? {}
    setError(null)
    if (Object.keys(early).length > 0) return fail(form, early)
    setProblems({})
    setPending(true)
    act(values)
      .catch((thrown: unknown) => {
        const refused = AppError.from(thrown)
        setError(refused)
        fail(form, problemOf(refused, fields))
      })
      .finally(() => setPending(false))
  }
  return { problems, error, isPending, submit }
}

const textOf = (value: FormDataEntryValue | null): string => (typeof value === 'string' ? value : '')
