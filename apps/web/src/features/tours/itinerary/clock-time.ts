const dayMin = 24 * 60

const minutesOf = (time: string): number => {
  const [hours = 0, minutes = 0] = time.split(':').map(Number)
  return hours * 60 + minutes
}

/** Clock time of a moment this many minutes after the start: `09:00` + 195 → `12:15`; past midnight it starts again. */
export function clockAt(start: string, offsetMin: number): string {
  const minutes = (((minutesOf(start) + offsetMin) % dayMin) + dayMin) % dayMin
  return `${String(Math.floor(minutes / 60)).padStart(2, '0')}:${String(minutes % 60).padStart(2, '0')}`
}

/** Minutes after the start of a clock time; of the days it could mean, the one nearest to the previous value. */
export function offsetOf(start: string, time: string, near: number): number {
  const offset = minutesOf(time) - minutesOf(start)
  return offset + Math.round((near - offset) / dayMin) * dayMin
}
