import { useNavigate, useRouter, useSearch } from '@tanstack/react-router'
import { Fragment, Suspense, useEffect, useRef, type ReactNode } from 'react'
import { rememberFocus } from '../ui/focus-return.ts'
import { forgetDrawerRequest } from './drawer-request.ts'
import { openRecords, recordIn } from '../addresses/open-records.ts'
import type { RecordParameter } from '../addresses/paths.ts'

export interface RecordDrawerProps {
  /** Of the record in the address. */
  id: string
  /** Takes the record out of the address, and with it the drawer's own parameters (`tab`). */
  onClose: () => void
}

/** The drawer of each kind of record; features bring them, `routes/_dashboard.tsx` names them. */
export type RecordDrawerMap = Partial<Record<RecordParameter, (props: RecordDrawerProps) => ReactNode>>

/** Opens a record over any screen of the dashboard, by the address: `?departure={id}&tab=manifest`. See docs/screens.md, "Records over any screen". */
export function RecordDrawers({ drawers }: { drawers: RecordDrawerMap }) {
  const search = useSearch({ from: '/_dashboard' })
  const navigate = useNavigate()
  // What is closed shows the one below again.
  const open = openRecords(search)
  const parameter = open.at(-1)
  useFocusBelow(open)
  const isAnyOpen = open.length > 0
  useEffect(() => {
    // a dialog that was requested belongs to this visit, and not to the next one
    if (!isAnyOpen) forgetDrawerRequest()
  }, [isAnyOpen])
  const render = parameter && drawers[parameter]
  const id = parameter && recordIn(search, parameter)
  if (!render || !id) return null
  const close = () =>
    void navigate({
      to: '.',
      search: (before) => ({
        ...before,
        [parameter]: undefined,
        // of the drawer that is closed, not of one below it
        ...((open.length === 1 || parameter === 'departure') && { tab: undefined }),
      }),
      resetScroll: false,
    })
  return (
    <Suspense fallback={null}>
      <Fragment key={id}>{render({ id, onClose: close })}</Fragment>
    </Suspense>
  )
}

/** A drawer that was under another one gets the keyboard focus back where it was. */
function useFocusBelow(open: readonly RecordParameter[]): void {
  const router = useRouter()
  const shown = useRef(open)
  const left = useRef(new Map<RecordParameter, () => void>())
  useEffect(
    () =>
      router.subscribe('onBeforeNavigate', () => {
        const top = shown.current.at(-1)
        if (top) left.current.set(top, rememberFocus())
      }),
    [router],
  )
  const parameter = open.at(-1)
  const depth = open.length
  useEffect(() => {
    const isUncovered = parameter !== undefined && shown.current.length > depth && shown.current.includes(parameter)
    shown.current = open
    if (isUncovered) left.current.get(parameter)?.()
  })
}
