interface Box {
  readonly left: number
  readonly right: number
  readonly top: number
  readonly bottom: number
}

interface Size {
  readonly width: number
  readonly height: number
}

export interface PlaceRequest {
  /** The anchor, in the window's coordinates. */
  anchor: Box
  size: Size
  window: Size
  align: 'start' | 'center' | 'end'
  isRtl: boolean
}

/** Between the two, and to the edges of the window. */
const gap = 6
const margin = 8
/** Taller lists scroll. */
const tallest = 480

/** Below what it belongs to, above where there is more room; never outside the window. All in pixels. */
export function placeBeside({ anchor, size, window, align, isRtl }: PlaceRequest): {
  left: number
  top: number
  maxHeight: number
} {
  const below = window.height - anchor.bottom - gap - margin
  const above = anchor.top - gap - margin
  const wanted = Math.min(size.height, tallest)
  const isAbove = wanted > below && above > below
  const maxHeight = Math.max(80, Math.min(tallest, isAbove ? above : below))
  const height = Math.min(wanted, maxHeight)
  const isLeft = (align === 'start') !== isRtl
  const left =
    align === 'center'
      ? (anchor.left + anchor.right - size.width) / 2
      : isLeft
        ? anchor.left
        : anchor.right - size.width
  return {
    left: Math.round(Math.max(margin, Math.min(left, window.width - size.width - margin))),
    top: Math.round(isAbove ? anchor.top - gap - height : anchor.bottom + gap),
    maxHeight: Math.round(maxHeight),
  }
}
