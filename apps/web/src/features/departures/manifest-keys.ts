import type { Manifest, ManifestEntry } from '@tour-ops/contract/bookings/manifest'
import { useEffect, useEffectEvent, type RefObject } from 'react'
import { isTyping } from '../../ui/drawer.tsx'
import { entriesOf, mayCheckIn, mayUndo } from './manifest-model.ts'
import type { CheckIns } from './use-check-in.ts'
import type { Selection } from './use-manifest.ts'

export interface ManifestKeysOptions {
  body: RefObject<HTMLElement | null>
  manifest: Manifest
  selection: Selection
  checkIns: CheckIns
  mayWrite: boolean
}

/**
 * Keys of the manifest: `/` searches, arrows move from row to row, Space selects (the checkbox's own), Shift+Space the party, C checks in
 * and U undoes what is selected, else the row that has the focus. See docs/screens.md, "Records over any screen".
 */
export function useManifestKeys({ body, manifest, selection, checkIns, mayWrite }: ManifestKeysOptions): void {
  const selectParty = (row: HTMLElement) => {
    const party = manifest.groups
      .flatMap((group) => group.parties)
      .find((one) => one.entries.some((entry) => entry.id === row.dataset['entry']))
    const ids = (party?.entries ?? []).map((entry) => entry.id)
    const areAll = ids.every((id) => selection.ids.has(id))
    const next = new Set(selection.ids)
    for (const id of ids)
      if (areAll) next.delete(id)
      else next.add(id)
    selection.set(next)
  }
  const idsFor = (row: HTMLElement | null, isPossible: (entry: ManifestEntry) => boolean): string[] => {
    const wanted = selection.ids.size > 0 ? selection.ids : new Set(row?.dataset['entry'] ? [row.dataset['entry']] : [])
    return entriesOf(manifest)
      .filter((entry) => wanted.has(entry.id) && isPossible(entry))
      .map((entry) => entry.id)
  }
  const onKey = useEffectEvent((event: KeyboardEvent) => {
    if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey) return
    if (!(event.target instanceof Element) || event.target.closest('[role=menu], .pop, .dialog')) return
    if (isTyping(event.target)) return
    const row = event.target.closest<HTMLElement>('[data-entry]')
    switch (event.key) {
      case '/':
        body.current?.querySelector<HTMLElement>('input[type=search]')?.focus()
        break
      case 'ArrowDown':
      case 'ArrowUp':
        if (!moveRow(body.current, row, event.key === 'ArrowDown' ? 1 : -1)) return
        break
      case ' ':
        if (!event.shiftKey || !row) return
        selectParty(row)
        break
      case 'c':
        if (mayWrite) checkIns.checkIn(idsFor(row, mayCheckIn))
        break
      case 'u':
        if (mayWrite) checkIns.undo(idsFor(row, mayUndo))
        break
      default:
        return
    }
    event.preventDefault()
  })
  useEffect(() => {
    const listen = (event: KeyboardEvent) => onKey(event)
    document.addEventListener('keydown', listen)
    return () => document.removeEventListener('keydown', listen)
  }, [])
}

/** The focus goes to the checkbox (or link) of the next row. @returns false at the ends. */
function moveRow(body: HTMLElement | null, row: HTMLElement | null, by: 1 | -1): boolean {
  const rows = [...(body?.querySelectorAll<HTMLElement>('[data-entry]') ?? [])]
  const at = row ? rows.indexOf(row) : by === 1 ? -1 : rows.length
  const control = rows[at + by]?.querySelector<HTMLElement>('input, a, button')
  control?.focus()
  return control !== undefined && control !== null
}
