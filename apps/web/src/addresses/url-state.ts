import { useNavigate, useSearch, type RegisteredRouter, type RouteById, type RouteIds } from '@tanstack/react-router'

type ScreenId = RouteIds<RegisteredRouter['routeTree']>

/** What may follow the path in the address of a screen, by the id of its route. */
export type SearchOf<Id extends ScreenId> = RouteById<RegisteredRouter['routeTree'], Id>['types']['fullSearchSchema']

export interface SetUrlState<State> {
  (changes: Partial<{ [Key in keyof State]: State[Key] | undefined }>, options?: { push?: boolean }): void
}

/**
 * State of a screen that lives in the address, so that it survives a reload and can be sent to a colleague: filters, sort, tab.
 * Its shape is the route's (`validateSearch`); what is missing or wrong is undefined here, and the screen says what it shows then.
 * Setting a value to undefined takes it out of the address. Parameters of others are left alone.
 *
 * @param push A new entry of the history, so that Back undoes the change; without it the present entry is replaced.
 * @example const [{ show = 'tours' }, setState] = useUrlState('/_dashboard/tours/all')
 */
export function useUrlState<const Id extends ScreenId>(screen: Id): [SearchOf<Id>, SetUrlState<SearchOf<Id>>] {
  const state = useSearch<RegisteredRouter, Id>({ from: screen })
  const navigate = useNavigate()
  const setState: SetUrlState<SearchOf<Id>> = (changes, { push = false } = {}) => {
    void navigate({
      to: '.',
      search: (before: object) => ({ ...before, ...changes }),
      replace: !push,
      resetScroll: false,
    })
  }
  return [state, setState]
}
