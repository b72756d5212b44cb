import { trackColors } from '../../map/index.ts'

/** The number of a track in its color, as on its marker of the map. */
export const TrackNumber = ({ at }: { at: number }) => (
  <span
    className="num grid size-5 shrink-0 place-items-center rounded-full border-2 bg-surface text-2xs font-semibold text-ink-strong"
    style={{ borderColor: `var(--${trackColors[at]})` }}
  >
    {at + 1}
  </span>
)
