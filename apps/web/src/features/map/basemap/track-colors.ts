/** Colors of tracks that are shown together, in the order in which they were chosen: names of tokens of the page. */
export const trackColors = [
  'route',
  'mark-info',
  'mark-gap',
  'mark-ok',
  'mark-warn',
  'mark-bad',
  'mark-neutral',
  'ink-strong',
] as const
