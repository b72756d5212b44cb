/** What an adapter needs the browser to load from other origins, by directive; each a list of hosts or words with blanks between. */
export interface Openings {
  readonly script: string
  readonly connect: string
  readonly image: string
  readonly worker: string
  readonly style: string
  readonly frame: string
}

/** All of them together; what several need is named once. */
export function joinOpenings(openings: readonly Partial<Openings>[]): Openings {
  const joined = (name: keyof Openings): string =>
    [...new Set(openings.flatMap((each) => each[name]?.split(' ') ?? []))].filter(Boolean).join(' ')
  return {
    script: joined('script'),
    connect: joined('connect'),
    image: joined('image'),
    worker: joined('worker'),
    style: joined('style'),
    frame: joined('frame'),
  }
}
