/** Two pages of one phone, or a page and its worker, send one after the other. */
export const oneOnly = (name: 'duty-send' | 'duty-positions', run: () => Promise<void>): Promise<void> =>
  'locks' in navigator ? navigator.locks.request(name, run) : run()
