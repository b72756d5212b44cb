import { toNestErrors } from '@hookform/resolvers'
import { useEffect, useEffectEvent } from 'react'
import {
  useForm,
  useFormState,
  type DefaultValues,
  type FieldError,
  type FieldValues,
  type Resolver,
  type UseFormReturn,
} from 'react-hook-form'
import type * as z from 'zod/mini'
import { issueText } from './form-errors.ts'

/** A form of the product: what goes in (`Values`), what the schema makes of it (`Output`). */
export type AppForm<Values extends FieldValues, Output = Values> = UseFormReturn<Values, unknown, Output>

export interface FormDraft<Values> {
  values: Values
  /** ISO 8601. */
  savedAt: string
}

/** Pause after the last key before a draft is saved. */
const draftDelayMs = 800

type FormSchema = z.ZodMiniType<FieldValues, FieldValues>

export interface AppFormOptions<Schema extends FormSchema> {
  /** The callable's own input schema, or a part of it. */
  schema: Schema
  defaultValues: DefaultValues<z.input<Schema>>
  /** What was typed before and not saved; shown with a way to discard it. */
  draft?: FormDraft<z.input<Schema>> | null | undefined
  /** Keeps what is typed; null when it was saved or discarded. */
  onDraft?: ((draft: FormDraft<z.input<Schema>> | null) => void) | undefined
  /** Whether leaving would lose something. */
  onDirtyChange?: ((isDirty: boolean) => void) | undefined
}

/** Checks what was typed by the shape; the first thing that is wrong with each entry is shown in the reader's language. */
const resolverOf =
  <Schema extends FormSchema>(schema: Schema): Resolver<z.input<Schema>, unknown, z.output<Schema>> =>
  (values, _context, options) => {
    const parsed = schema.safeParse(values)
    if (parsed.success) return { values: parsed.data, errors: {} }
    const errors: Record<string, FieldError> = {}
    for (const issue of parsed.error.issues) {
      errors[issue.path.join('.')] ??= { type: issue.code, message: issueText(issue) }
    }
    return { values: {}, errors: toNestErrors(errors, options) }
  }

/** A form on the callable's schema: checked on submit, then with every key; drafts and unsaved changes are reported. */
export function useAppForm<Schema extends FormSchema>(
  options: AppFormOptions<Schema>,
): AppForm<z.input<Schema>, z.output<Schema>> {
  'use no memo' // The form library keeps its identity while what it answers changes.
  const { schema, defaultValues, draft, onDraft, onDirtyChange } = options
  const form = useForm<z.input<Schema>, unknown, z.output<Schema>>({
    resolver: resolverOf(schema),
    defaultValues,
    mode: 'onSubmit',
    reValidateMode: 'onChange',
    shouldFocusError: false,
  })
  const { isDirty } = useFormState({ control: form.control })
  const restore = useEffectEvent(() => {
    if (draft) form.reset(draft.values, { keepDefaultValues: true })
  })
  const keep = useEffectEvent(() => {
    if (isDirty) onDraft?.({ values: form.getValues(), savedAt: new Date().toISOString() })
  })
  const report = useEffectEvent((dirty: boolean) => onDirtyChange?.(dirty))
  // Not by an effect on `isDirty`: the guard of the page must know in the same render as the code that leaves after saving.
  useEffect(
    () => form.subscribe({ formState: { isDirty: true }, callback: (state) => report(state.isDirty ?? false) }),
    [form],
  )
  useEffect(() => restore(), [])
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined
    const stop = form.subscribe({
      formState: { values: true },
      callback: () => {
        clearTimeout(timer)
        timer = setTimeout(() => keep(), draftDelayMs)
      },
    })
    return () => {
      clearTimeout(timer)
      stop()
    }
  }, [form])
  return form
}
