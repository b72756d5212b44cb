import { useQueryClient } from '@tanstack/react-query'
import type { Callable } from '@tour-ops/contract/callable'
import { AppError } from '@tour-ops/contract/errors'
import { useState } from 'react'
import type * as z from 'zod/mini'
import { useScreenQuery } from '../../app/screen-query.ts'
import { callQuery, useCall } from '../../backend/queries.ts'
import { currentBackend } from '../../backend/port.ts'
import { m } from '../../paraglide/messages.js'
import { toast } from '../../ui/toast.tsx'
import {
  type Changes,
  contested,
  realChanges,
  type SettingsObject,
  type SettingValue,
  withChanges,
} from './settings-model.ts'

export interface StoredSettings {
  version: number
  updatedAt: string
  settings: SettingsObject
}

/** A pair of callables that read and write one page of settings. */
export interface SettingsCallables {
  readonly get: Callable<z.ZodMiniType, z.ZodMiniType<StoredSettings>>
  readonly update: Callable<z.ZodMiniType, z.ZodMiniType<StoredSettings>>
}

export interface Conflict {
  readonly theirs: StoredSettings
  /** Paths that both changed to different things. */
  readonly paths: readonly string[]
}

/** A page of settings while somebody works on it: saved values, changes, saving, and what to do when two people save. */
export function useSettings({ get, update }: SettingsCallables) {
  const cache = useQueryClient()
  const stored = useScreenQuery(callQuery(get, {})).data
  const [typed, setTyped] = useState<Changes>({})
  // What the person saw when the first change was made: a save may not overwrite what came later.
  const [base, setBase] = useState<StoredSettings>()
  const [error, setError] = useState<AppError | null>(null)
  const [conflict, setConflict] = useState<Conflict | null>(null)
  const save = useCall(update)
  const changes = stored ? realChanges(stored.settings, typed) : {}

  const changeAll = (values: Changes) => {
    if (Object.keys(changes).length === 0) setBase(stored)
    setTyped({ ...typed, ...values })
    setError(null)
  }
  const undo = (path: string) => {
    const { [path]: _undone, ...rest } = typed
    setTyped(rest)
    setError(null)
  }
  const discard = () => {
    setTyped({})
    setError(null)
    setConflict(null)
  }
  const send = async (over: StoredSettings) => {
    setError(null)
    try {
      const saved = await save.mutateAsync({ version: over.version, settings: withChanges(over.settings, changes) })
      cache.setQueryData(callQuery(get, {}).queryKey, saved)
      discard()
      toast(m.settings_saved())
    } catch (thrown) {
      const refused = AppError.from(thrown)
      if (refused.details['reason'] !== 'version_conflict') return setError(refused)
      await compare(over)
    }
  }
  /** Checks the newer version: where nobody touched the same field there is nothing to ask. */
  const compare = async (before: StoredSettings) => {
    const theirs = await currentBackend().call(get, {})
    cache.setQueryData(callQuery(get, {}).queryKey, theirs)
    const paths = contested(before.settings, theirs.settings, changes)
    if (paths.length > 0) setConflict({ theirs, paths })
    else await send(theirs)
  }
  return {
    stored,
    changes,
    error,
    conflict,
    isSaving: save.isPending,
    changeAll,
    change: (path: string, value: SettingValue) => changeAll({ [path]: value }),
    undo,
    discard,
    save: async () => {
      const over = base ?? stored
      if (over && Object.keys(changes).length > 0) await send(over)
    },
    takeTheirs: () => {
      if (!conflict) return
      setTyped(Object.fromEntries(Object.entries(typed).filter(([path]) => !conflict.paths.includes(path))))
      setBase(conflict.theirs)
      setConflict(null)
    },
    keepMine: async () => {
      if (!conflict) return
      setConflict(null)
      await send(conflict.theirs)
    },
  }
}
export type SettingsWork = ReturnType<typeof useSettings>
