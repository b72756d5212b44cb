import { useQuery, useQueryClient } from '@tanstack/react-query'
import { AppError } from '@tour-ops/contract/errors'
import { getSession } from '@tour-ops/contract/identity/session'
import type { Reason } from '@tour-ops/contract/refusals'
import { type TourContent } from '@tour-ops/contract/tours/tour-content'
import {
  getTour,
  saveTourDraft,
  saveTourWizard,
  updateTour,
  type Tour,
  type TourWizard,
} from '@tour-ops/contract/tours/tours'
import { useState } from 'react'
import { callQuery, readAfresh, useCall } from '../../backend/queries.ts'
import { closeContent, openContent, type EditContent } from './tour-content.ts'
import type { TourOutput } from './tour-values.ts'

/** What is to be written, each part only when it changed. */
export interface TourChange {
  fields?: TourOutput | undefined
  content?: TourContent | undefined
  wizard?: TourWizard | undefined
}

/** A write that another person was faster than; their version is shown next to the reader's own. */
export interface Conflict {
  mine: TourChange
  theirs: Tour
}

export interface TourEditing {
  /** The tour as this person last saw it. */
  base: Tour
  content: EditContent
  isContentDirty: boolean
  /** Problems of prices by place, after an attempt to save. */
  problems: ReadonlyMap<number, string>
  setContent: (change: Partial<EditContent>) => void
  /** Discards unsaved changes and shows the server's version. */
  reset: () => void
  /**
   * Writes the fields given, the content when it has unsaved changes, and the path of the wizard.
   *
   * @throws AppError of the server, with `conflict` set when somebody was faster; `invalid-argument` for prices that are not whole.
   */
  save: (change: Omit<TourChange, 'content'>) => Promise<void>
  /** Another write of the same person (options) moved the tour to this version. */
  onOwnSave: (version: number) => void
  conflict: Conflict | null
  /** Overwrites the other person's version with the reader's own. @throws AppError as `save` does. */
  keepMine: () => Promise<void>
}

/** Refused by the screen itself, as the server would. */
const pricesNotWhole = (): AppError =>
  new AppError('invalid-argument', 'A price is missing or is no amount.', {
    details: { reason: 'prices_not_whole' satisfies Reason },
  })

const isConflict = (error: unknown): boolean =>
  error instanceof AppError && error.details['reason'] === 'version_conflict'

/**
 * One person's editing of a tour. Fields and content are saved under the version that was seen; own saves move it on. What others change
 * is taken over while nothing is unsaved here, and is a conflict otherwise.
 *
 * @param isFormDirty Whether the form of basics and rules has unsaved changes.
 */
export function useTourEditing(tour: Tour, isFormDirty: boolean): TourEditing {
  const cache = useQueryClient()
  const { data: session } = useQuery({ ...callQuery(getSession, {}), staleTime: Infinity })
  const currency = session?.settings?.currency ?? 'EUR'
  const [base, setBase] = useState(tour)
  /** The version that the next write names. */
  const [version, setVersion] = useState(tour.version)
  const [content, setEdited] = useState(() => openContent(tour, currency))
  const [isContentDirty, setContentDirty] = useState(false)
  const [problems, setProblems] = useState<ReadonlyMap<number, string>>(new Map())
  const [conflict, setConflict] = useState<Conflict | null>(null)
  const { mutateAsync: update } = useCall(updateTour)
  const { mutateAsync: saveDraft } = useCall(saveTourDraft)
  const { mutateAsync: saveWizard } = useCall(saveTourWizard)

  const adopt = (next: Tour) => {
    setBase(next)
    setVersion(next.version)
    setEdited(openContent(next, currency))
    setContentDirty(false)
    setProblems(new Map())
    setConflict(null)
  }
  if (tour.version > base.version) {
    if (tour.version === version) setBase(tour)
    else if (!isContentDirty && !isFormDirty && !conflict) adopt(tour)
  }

  const write = async (change: TourChange, seen: number): Promise<void> => {
    const { id } = base
    const { fields, content: closed, wizard } = change
    let latest = seen
    try {
      if (fields) latest = (await update({ ...fields, id, version: latest })).version
      if (closed) latest = (await saveDraft({ id, version: latest, content: closed })).version
      if (wizard) latest = (await saveWizard({ id, version: latest, wizard })).version
    } catch (error) {
      if (isConflict(error)) {
        const theirs = await readAfresh(cache, getTour, { id })
        setConflict({ mine: change, theirs })
      }
      throw error
    } finally {
      setVersion(latest)
    }
    if (closed) setContentDirty(false)
  }

  return {
    base,
    content,
    isContentDirty,
    problems,
    conflict,
    setContent: (change) => {
      setEdited((before) => ({ ...before, ...change }))
      setContentDirty(true)
    },
    onOwnSave: setVersion,
    reset: () => adopt(conflict?.theirs ?? tour),
    save: async (change) => {
      if (!isContentDirty) return write(change, version)
      const { content: closed, problems: found } = closeContent(content)
      setProblems(found)
      if (found.size > 0) throw pricesNotWhole()
      return write({ ...change, content: closed }, version)
    },
    keepMine: async () => {
      if (!conflict) return
      const { mine, theirs } = conflict
      setConflict(null)
      await write(mine, theirs.version)
    },
  }
}
