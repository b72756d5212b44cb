/** The origin at which others reach this server; null where only this computer does. */
export const publicOriginOf = (publicUrl: string): string | null =>
  isLoopback(new URL(publicUrl).hostname) ? null : publicUrl

/** True for addresses that only this computer can reach. */
export const isLoopback = (host: string): boolean =>
  host === 'localhost' || host === '::1' || host === '[::1]' || /^127(\.\d{1,3}){3}$/.test(host)
