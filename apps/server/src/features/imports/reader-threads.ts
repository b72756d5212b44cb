import { MessageChannel, type MessagePort, Worker } from 'node:worker_threads'
import { AppError } from '@tour-ops/contract/errors'
import type { ImportReading } from '@tour-ops/contract/imports/import-reading'
import type { Logger } from 'pino'
import { type MergedCell, type OpenContent, unreadable } from './file-table.ts'
import { receivedOver, sendOver } from './port-stream.ts'

/** What a thread is asked to do with a file. */
export interface ReadingOrder {
  readonly kind: 'text' | 'workbook'
  readonly form: ImportReading
  readonly wanted: { readonly what: 'analysis' } | { readonly what: 'rows'; readonly merged: readonly MergedCell[] }
}

/** Where the content comes from, and who waits for the answers. */
export interface ReadingClient {
  readonly open: OpenContent
  readonly signal: AbortSignal
  readonly log: Logger
}

/** What one file may take of its thread, whatever its content is. */
interface ThreadLimits {
  /** Memory of objects and strings; the shared texts of a workbook are outside of it and have a limit of their own. */
  readonly heapMb: number
  /** The thread's own work; waiting for content, or for whoever takes the rows, is not counted. */
  readonly workSeconds: number
}

/** The measurements are in docs/decisions/0123-files-are-read-in-threads.md. */
const threadLimits: ThreadLimits = { heapMb: 128, workSeconds: 240 }

/** Memory for objects that hardly live; more would only postpone their collection. */
const youngHeapMb = 16
/** How often the work of a thread is looked at. */
const watchMs = 250
/** A thread that waits for the next file costs memory: one, for a minute. */
const maxIdle = 1
const idleMs = 60_000

/** Reads files in threads of their own, so that no file delays a call, takes the memory of the server, or ends it. */
export class ReaderThreads {
  readonly #limits: ThreadLimits
  readonly #program: URL
  readonly #idle: Worker[] = []

  constructor(limits = threadLimits, program = new URL('reader-worker.ts', import.meta.url)) {
    this.#limits = limits
    this.#program = program
  }

  /**
   * What a thread answers to an order. It is ended at once when the signal is aborted, the caller stops iterating, or the file takes more than it may.
   *
   * @throws AppError `invalid-argument` for a file that is refused or takes too much; the reason of the signal; what opening the content throws.
   */
  async *read<T>(order: ReadingOrder, { open, signal, log }: ReadingClient): AsyncGenerator<T> {
    signal.throwIfAborted()
    const worker = this.#take()
    const failure = Promise.withResolvers<never>()
    // it may come while nobody waits for an answer
    failure.promise.catch(() => undefined)
    let isEnded = false
    const contents: (() => void)[] = []
    const end = (reason: () => unknown): void => {
      if (isEnded) return
      isEnded = true
      failure.reject(reason())
      for (const stop of contents) stop()
      void worker.terminate()
    }
    const onAbort = (): void => end(() => signal.reason)
    const onError = (error: unknown): void => end(() => this.#refusalOf(error, log))
    const onExit = (): void => onError(new Error('The thread ended by itself.'))
    const onOpen = (port: MessagePort): void => {
      const stop = sendOver(
        port,
        copiesOf(open),
        (error) => end(() => error),
        ({ buffer }) => [buffer],
      )
      contents.push(stop)
    }
    const begun = worker.performance.eventLoopUtilization()
    const watch = setInterval(() => {
      if (worker.performance.eventLoopUtilization(begun).active > this.#limits.workSeconds * 1000)
        end(() => this.#tooLong())
    }, watchMs)
    signal.addEventListener('abort', onAbort)
    worker.on('error', onError).on('exit', onExit).on('message', onOpen)
    const { port1, port2 } = new MessageChannel()
    worker.postMessage({ order, answers: port2 }, [port2])
    let isWhole = false
    try {
      yield* receivedOver<T>(port1, failure.promise)
      isWhole = true
    } finally {
      clearInterval(watch)
      signal.removeEventListener('abort', onAbort)
      worker.off('error', onError).off('exit', onExit).off('message', onOpen)
      for (const stop of contents) stop()
      if (isWhole && !isEnded) this.#giveBack(worker)
      else void worker.terminate()
    }
  }

  #take(): Worker {
    const worker = this.#idle.pop() ?? this.#start()
    worker.ref()
    return worker
  }

  #start(): Worker {
    const worker = new Worker(this.#program, {
      // what reads files of others gets no secrets
      env: {},
      execArgv: [],
      resourceLimits: { maxOldGenerationSizeMb: this.#limits.heapMb, maxYoungGenerationSizeMb: youngHeapMb },
    })
    // what comes after the end of a reading concerns nobody
    worker.on('error', () => undefined)
    worker.on('exit', () => this.#forget(worker))
    return worker
  }

  #giveBack(worker: Worker): void {
    if (this.#idle.length >= maxIdle) return void worker.terminate()
    this.#idle.push(worker)
    worker.unref()
    setTimeout(() => {
      if (this.#forget(worker)) void worker.terminate()
    }, idleMs).unref()
  }

  #forget(worker: Worker): boolean {
    const place = this.#idle.indexOf(worker)
    if (place >= 0) this.#idle.splice(place, 1)
    return place >= 0
  }

  /** What became of a thread that ended: the file's doing, as far as the caller is concerned. The log gets no text that may quote the file. */
  #refusalOf(error: unknown, log: Logger): AppError {
    const { name, code, stack } = error as { name?: string; code?: string; stack?: string }
    const isMemory = code === 'ERR_WORKER_OUT_OF_MEMORY'
    const at = stack?.split('\n').filter((line) => /^\s+at /.test(line))
    log.warn({ error: { name, code, at } }, 'the thread that read a file of an import ended')
    return isMemory ? this.#tooMuchMemory() : readerFailed()
  }

  #tooMuchMemory(): AppError {
    const max = String(this.#limits.heapMb)
    return unreadable(
      'takes_too_much_memory',
      `Reading the file takes more than ${max} MB of memory. Split it, or delete columns and sheets that are not needed.`,
      { max },
    )
  }

  #tooLong(): AppError {
    const max = String(this.#limits.workSeconds)
    return unreadable(
      'takes_too_long',
      `Reading the file takes more than ${max} seconds. Split it, or delete columns and sheets that are not needed.`,
      { max },
    )
  }
}

const readerFailed = (): AppError =>
  unreadable(
    'reader_failed',
    'The file cannot be read. Open it in a spreadsheet program, save it as CSV and upload that.',
  )

/** Copies, since pieces of a stream may share their memory and are given away. */
async function* copiesOf(open: OpenContent): AsyncGenerator<Uint8Array<ArrayBuffer>> {
  for await (const piece of await open()) yield new Uint8Array(piece)
}
