/** A route drawn from the mark: its line ends in a guess (`lost`) or is broken. Decorative. */
export function RouteArt({ kind }: { kind: 'lost' | 'broken' }) {
  const isLost = kind === 'lost'
  return (
    <svg width="320" height="84" viewBox="0 0 320 84" fill="none" aria-hidden className="max-w-full">
      <path d="M14 64C52 64 58 24 96 24s44 34 82 34" stroke="var(--brand)" strokeWidth="4" strokeLinecap="round" />
      {isLost ? (
        <path
          d="M178 58c44 0 52-34 96-34"
          stroke="var(--map-line)"
          strokeWidth="4"
          strokeLinecap="round"
          strokeDasharray="1 11"
        />
      ) : (
        <path d="M226 40c14-9 28-16 48-16" stroke="var(--map-line)" strokeWidth="4" strokeLinecap="round" />
      )}
      {stops.map(([x, y]) => (
        <circle key={x} cx={x} cy={y} r="7" fill="var(--surface)" stroke="var(--brand-2)" strokeWidth="4" />
      ))}
      {isLost ? (
        <>
          <circle
            cx="290"
            cy="22"
            r="13"
            fill="var(--surface)"
            stroke="var(--ctl)"
            strokeWidth="2"
            strokeDasharray="4 4"
          />
          <text x="290" y="27" textAnchor="middle" fontSize="14" fontWeight="600" fill="var(--ink-2)">
            ?
          </text>
        </>
      ) : (
        <>
          <circle cx="290" cy="22" r="7" fill="var(--surface)" stroke="var(--ctl)" strokeWidth="3" />
          <path d="m196 40 12 12m0-12-12 12" stroke="var(--st-bad)" strokeWidth="4" strokeLinecap="round" />
        </>
      )}
    </svg>
  )
}

const stops = [
  [14, 64],
  [96, 24],
  [178, 58],
] as const
