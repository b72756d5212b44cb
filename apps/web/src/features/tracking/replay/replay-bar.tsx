import { Pause, Play } from 'lucide-react'
import type { KeyboardEvent, ReactNode, Ref } from 'react'
import { m } from '../../../paraglide/messages.js'
import { Field, Select } from '../../../ui/field.tsx'
import { IconButton } from '../../../ui/icon-button.tsx'
import { replaySpeeds, type ReplaySpeed } from './replay-time.ts'
import type { Span } from './span.ts'
import { TimeAxis } from './time-axis.tsx'
import type { Replay } from './use-replay.ts'

/** How far keys go, ms. */
export interface ReplaySteps {
  readonly arrow: number
  /** As the browser does without it. */
  readonly page?: number
}

const isSpeed = (value: number): value is ReplaySpeed => replaySpeeds.some((speed) => speed === value)

interface ReplayBarProps {
  span: Span
  replay: Replay
  steps: ReplaySteps
  /** A moment in words. */
  momentText: (at: number) => string
  /** Of the times on the axis; the reader's own without it. */
  zone?: string | undefined
  sliderRef?: Ref<HTMLInputElement>
  /** Between play and speed. */
  children: ReactNode
}

/** Plays a day again: play and pause, how fast, and a slider over the whole time. */
export function ReplayBar({ span, replay, steps, momentText, zone, sliderRef, children }: ReplayBarProps) {
  const { at, isPlaying, speed, setSpeed, toggle, seek } = replay
  return (
    <div className="grid gap-1">
      <input
        type="range"
        ref={sliderRef}
        className="-mx-2 h-5 w-[calc(100%+1rem)] accent-brand-strong"
        aria-label={m.tracking_moment()}
        aria-valuetext={momentText(at)}
        min={span.from}
        max={span.to}
        step={1000}
        value={at}
        onChange={(event) => seek(Number(event.target.value))}
        onKeyDown={(event) => pressKey(event, replay, span, steps)}
      />
      <TimeAxis {...{ span, zone }} />
      <div className="flex flex-wrap items-center gap-2">
        <IconButton
          className="border border-line"
          label={isPlaying ? m.tracking_pause() : m.tracking_play()}
          icon={isPlaying ? Pause : Play}
          onClick={toggle}
        />
        {children}
        <Field label={m.tracking_speed()} hideLabel className="w-20">
          <Select
            value={String(speed)}
            options={replaySpeeds.map((value) => ({ value: String(value), label: `${value}×` }))}
            onChange={(event) => {
              const next = Number(event.target.value)
              if (isSpeed(next)) setSpeed(next)
            }}
          />
        </Field>
      </div>
    </div>
  )
}

/** What the slider itself does not know, or does in steps of a second: the last position is seldom at a whole one. */
function pressKey(
  event: KeyboardEvent,
  { at, seek, toggle }: Replay,
  { to }: Span,
  { arrow, page }: ReplaySteps,
): void {
  const stepped = stepOf(event.key, arrow, page)
  if (stepped !== undefined) seek(at + stepped)
  else if (event.key === 'End') seek(to)
  else if (event.key === ' ') toggle()
  else return
  event.preventDefault()
}

function stepOf(key: string, arrow: number, page: number | undefined): number | undefined {
  if (key === 'ArrowLeft' || key === 'ArrowDown') return -arrow
  if (key === 'ArrowRight' || key === 'ArrowUp') return arrow
  if (page === undefined) return undefined
  if (key === 'PageDown') return -page
  return key === 'PageUp' ? page : undefined
}
