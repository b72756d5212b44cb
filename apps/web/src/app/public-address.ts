let publicOrigin: string | null = null

/** Sets the address that others reach this installation at; without one it is the address it is used at. */
export function setPublicOrigin(origin: string | null): void {
  publicOrigin = origin
}

/** A path of this site as somebody else can open it: an office machine may use an address of its own network. */
export const publicAddressOf = (path: string): string => new URL(path, publicOrigin ?? location.origin).href
