import { AppError } from '@tour-ops/contract/errors'
import { fileUses } from '@tour-ops/contract/files'
import { addIncidentFile } from '@tour-ops/contract/monitoring/incident-files'
import { useEffect, useRef, useState } from 'react'
import type { UploadTask } from '../../backend/files-port.ts'
import { currentBackend } from '../../backend/port.ts'
import { useCall } from '../../backend/queries.ts'
import { refusalText } from '../../errors/refusal-text.ts'
import { m } from '../../paraglide/messages.js'
import { formatSizeLimit } from '../../ui/format.ts'
import { toast } from '../../ui/toast.tsx'

/** One file on its way into the log of an incident. */
export interface IncidentUpload {
  readonly key: number
  readonly file: File
  readonly state: 'waiting' | 'sending' | 'failed'
  /** Bytes. */
  readonly sent: number
  /** Why it failed and what to do; null unless it did. */
  readonly problem: string | null
  /** False where the file itself is what is wrong. */
  readonly mayRetry: boolean
}

export interface IncidentUploads {
  readonly list: readonly IncidentUpload[]
  /** Whether some are on their way or wait for it. */
  readonly isBusy: boolean
  readonly add: (files: readonly File[]) => void
  readonly retry: (key: number) => void
  /** Takes one off the list; what is on its way is given up. */
  readonly drop: (key: number) => void
}

const { maxBytes } = fileUses.incident_file

/** What is wrong with a file before it is sent; undefined where only the server can say. */
function problemOf({ size }: File): string | undefined {
  if (size === 0) return m.monitoring_files_empty()
  if (size > maxBytes) return m.monitoring_files_too_large({ size: formatSizeLimit(maxBytes) })
  return undefined
}

/** What an upload has come to, apart from what is shown of it. */
interface Progress {
  readonly task?: UploadTask
  /** The content is at the server, and the incident may not have it yet. */
  readonly fileId?: string
}

/** Sends files one after the other, since the server opens one picture of an organization at a time, and adds each to the log when it has arrived. */
export function useIncidentUploads(incidentId: string): IncidentUploads {
  const [list, setList] = useState<readonly IncidentUpload[]>([])
  const { mutateAsync: addToLog } = useCall(addIncidentFile)
  const progress = useRef(new Map<number, Progress>())
  const queue = useRef(Promise.resolve())
  const lastKey = useRef(0)
  const added = useRef(0)

  const change = (key: number, set: Partial<IncidentUpload>) =>
    setList((before) => before.map((each) => (each.key === key ? { ...each, ...set } : each)))
  const takeOff = (key: number) => {
    progress.current.delete(key)
    setList((before) => before.filter((each) => each.key !== key))
  }
  const isWanted = (key: number) => progress.current.has(key)

  const send = async (key: number, file: File): Promise<void> => {
    if (!isWanted(key)) return
    try {
      change(key, { state: 'sending', problem: null })
      let { fileId } = progress.current.get(key) ?? {}
      if (!fileId) {
        const store = await currentBackend().files()
        if (!isWanted(key)) return
        const task = store.upload(file, {
          use: 'incident_file',
          onProgress: ({ bytesSent }) => change(key, { sent: bytesSent }),
        })
        progress.current.set(key, { task })
        fileId = (await task.result).id
        if (!isWanted(key)) return
        progress.current.set(key, { fileId })
      }
      await addToLog({ incidentId, fileId })
      added.current += 1
      takeOff(key)
    } catch (error) {
      if (!isWanted(key)) return
      const mayRetry = !(error instanceof AppError && error.code === 'invalid-argument')
      change(key, { state: 'failed', sent: 0, problem: refusalText(error), mayRetry })
    }
  }
  const enqueue = (uploads: readonly Pick<IncidentUpload, 'key' | 'file'>[]) => {
    for (const { key, file } of uploads) queue.current = queue.current.then(() => send(key, file))
    queue.current = queue.current.then(() => {
      if (added.current > 0) toast(m.monitoring_files_added({ count: added.current }))
      added.current = 0
    })
  }

  // Nobody waits for them once the room is closed.
  useEffect(() => {
    const running = progress.current
    return () => {
      const tasks = [...running.values()]
      running.clear()
      for (const { task } of tasks) task?.cancel()
    }
  }, [])

  return {
    list,
    isBusy: list.some(({ state }) => state !== 'failed'),
    add(files) {
      const uploads = files.map((file): IncidentUpload => {
        const problem = problemOf(file)
        const state = problem === undefined ? 'waiting' : 'failed'
        const key = (lastKey.current += 1)
        return {
          key,
          file,
          state,
          sent: 0,
          problem: problem ?? null,
          mayRetry: problem === undefined,
        }
      })
      for (const { key } of uploads) progress.current.set(key, {})
      setList((before) => [...before, ...uploads])
      enqueue(uploads.filter(({ mayRetry }) => mayRetry))
    },
    retry(key) {
      const upload = list.find((each) => each.key === key)
      if (!upload) return
      change(key, { state: 'waiting', problem: null })
      enqueue([upload])
    },
    drop(key) {
      const { task } = progress.current.get(key) ?? {}
      takeOff(key)
      task?.cancel()
    },
  }
}
