import { Pause, Play } from 'lucide-react'
import { m } from '../../../paraglide/messages.js'
import { Field, Select } from '../../../ui/field.tsx'
import { formatTimeToTheSecond } from '../../../ui/format.ts'
import { IconButton } from '../../../ui/icon-button.tsx'
import type { Span } from './graph-lines.ts'
import { replaySpeeds, type ReplaySpeed } from './replay-time.ts'
import { MeasureChoice, type MeasureChoiceProps, TimeAxis } from './track-graph.tsx'
import type { Replay } from './use-replay.ts'

/** How far an arrow key goes, ms. */
const stepMs = 10_000

/** What the slider itself does not know, or does in steps of a second: the last position is seldom at a whole one. */
const keyActions: Readonly<Record<string, (replay: Replay, span: Span) => void>> = {
  ' ': ({ toggle }) => toggle(),
  End: ({ seek }, { to }) => seek(to),
  ArrowLeft: ({ seek, at }) => seek(at - stepMs),
  ArrowRight: ({ seek, at }) => seek(at + stepMs),
}

const isSpeed = (value: number): value is ReplaySpeed => replaySpeeds.some((speed) => speed === value)

interface ReplayBarProps extends MeasureChoiceProps {
  span: Span
  replay: Replay
}

/** Plays a day again: play and pause, how fast, and a slider over the whole time; next to it what the graph shows. */
export function ReplayBar({ span, replay, ...measure }: ReplayBarProps) {
  const { at, isPlaying, speed, setSpeed, toggle, seek } = replay
  return (
    <div className="grid gap-1">
      <input
        type="range"
        className="-mx-2 h-5 w-[calc(100%+1rem)] accent-brand-strong"
        aria-label={m.tracking_moment()}
        aria-valuetext={formatTimeToTheSecond(at)}
        min={span.from}
        max={span.to}
        step={1000}
        value={at}
        onChange={(event) => seek(Number(event.target.value))}
        onKeyDown={(event) => {
          const act = keyActions[event.key]
          if (!act) return
          event.preventDefault()
          act(replay, span)
        }}
      />
      <TimeAxis span={span} />
      <div className="flex flex-wrap items-center gap-2">
        <IconButton
          className="border border-line"
          label={isPlaying ? m.tracking_pause() : m.tracking_play()}
          icon={isPlaying ? Pause : Play}
          onClick={toggle}
        />
        <output className="num min-w-20 font-medium text-ink-strong">{formatTimeToTheSecond(at)}</output>
        <span className="ms-auto">
          <MeasureChoice {...measure} />
        </span>
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
