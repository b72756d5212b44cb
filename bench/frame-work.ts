import type { Browser, Page } from '@playwright/test'

interface TraceEvent {
  readonly name: string
  readonly ph: string
  readonly pid: number
  readonly tid: number
  /** Microseconds. */
  readonly ts: number
  readonly dur?: number
  /** Processor time of the thread, microseconds: what others took of the processor meanwhile is not in it. */
  readonly tdur?: number
}

/** Asks for frames without a pause, so that whatever happens belongs to one of them. */
function askForFrames(): void {
  requestAnimationFrame(askForFrames)
}

/**
 * How busy the page's own thread was for each frame while something went on; what the graphics card, or its imitation, takes is in another
 * process.
 *
 * @param during Ends when enough was seen.
 * @returns Milliseconds of processor for each frame, in order.
 */
export async function frameWork(browser: Browser, page: Page, during: () => Promise<void>): Promise<number[]> {
  await page.evaluate(askForFrames)
  await browser.startTracing(page, {
    categories: ['toplevel', 'devtools.timeline', 'disabled-by-default-devtools.timeline'],
  })
  await during()
  const trace = await browser.stopTracing()
  const { traceEvents } = JSON.parse(trace.toString()) as { traceEvents: readonly TraceEvent[] }
  const work = workByFrame(traceEvents)
  if (work.length === 0) throw new Error('The page has drawn no frame.')
  return work
}

/** Processor time of the tasks between the beginnings of two frames, of the thread with the most of them. */
function workByFrame(events: readonly TraceEvent[]): number[] {
  const threads = Map.groupBy(
    events.filter(({ name }) => name === 'FireAnimationFrame'),
    ({ pid, tid }) => `${pid} ${tid}`,
  )
  const [[thread, frames] = ['', []]] = [...threads].toSorted(([, a], [, b]) => b.length - a.length)
  const tasks = events.filter(
    ({ name, ph, pid, tid }) => ph === 'X' && name.endsWith('RunTask') && `${pid} ${tid}` === thread,
  )
  const starts = frames.map(({ ts }) => ts).toSorted((a, b) => a - b)
  const work = starts.map(() => 0)
  for (const { ts, dur = 0, tdur = dur } of tasks) {
    const next = starts.findIndex((start) => start >= ts)
    if (next > 0) work[next] = (work[next] ?? 0) + tdur / 1_000
  }
  return work.slice(1)
}
