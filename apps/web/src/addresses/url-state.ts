import { useNavigate, useSearch } from '@tanstack/react-router'
import type * as z from 'zod/mini'

export interface SetUrlState<State> {
  (changes: Partial<{ [Key in keyof State]: State[Key] | undefined }>, options?: { push?: boolean }): void
}

/**
 * State of a screen that lives in the address, so that it survives a reload and can be sent to a colleague: filters, sort, tab.
 * Values are text in the address; the schema turns them into what the screen wants and must give a default for whatever is missing or
 * wrong (`z.catch`). Setting a value to undefined takes it out of the address. Parameters of others are left alone.
 *
 * @param push A new entry of the history, so that Back undoes the change; without it the present entry is replaced.
 * @example const [state, setState] = useUrlState(z.object({ tab: z.catch(z.enum(['tours', 'departures']), 'tours') }))
 */
export function useUrlState<Schema extends z.ZodMiniType<Record<string, unknown>>>(
  schema: Schema,
): [z.output<Schema>, SetUrlState<z.output<Schema>>] {
  const search: Record<string, unknown> = useSearch({ strict: false })
  const navigate = useNavigate()
  const state = schema.parse(search)
  const setState: SetUrlState<z.output<Schema>> = (changes, { push = false } = {}) => {
    void navigate({
      to: '.',
      search: (before: Record<string, unknown>) => ({ ...before, ...changes }),
      replace: !push,
      resetScroll: false,
    } as Parameters<typeof navigate>[0])
  }
  return [state, setState]
}
