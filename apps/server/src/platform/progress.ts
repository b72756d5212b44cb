/** Shows on a terminal what is being done, in one line that changes; elsewhere nothing. */
export interface Progress {
  say(what: string): void
  /** Clears the line. */
  end(): void
}

const everyMs = 100

export function progressOn(output: NodeJS.WriteStream): Progress {
  let lastMs = 0
  const write = (text: string): void => {
    if (output.isTTY) output.write(`\r\u001b[2K${text}`)
  }
  return {
    say: (what) => {
      if (performance.now() - lastMs < everyMs) return
      lastMs = performance.now()
      write(what)
    },
    end: () => write(''),
  }
}
