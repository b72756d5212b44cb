import { useEffect, useEffectEvent, useMemo, useRef } from 'react'
import { useIsDesktop } from '../../ui/use-media.ts'

/** Width of the panel with its margins, pixels. */
const panelPx = 412
const edgePx = 48
const buttonsPx = 40

/** Room that something covers: the panel floats at the start side on desktop, and is a sheet at the bottom elsewhere. */
export function usePadding(isSheetFull: boolean) {
  const isDesktop = useIsDesktop()
  return useMemo(() => {
    const edges = { top: edgePx, bottom: edgePx, left: edgePx, right: edgePx + buttonsPx }
    if (!isDesktop) return isSheetFull ? edges : { ...edges, bottom: Math.round(innerHeight * 0.46) + edgePx }
    const isRightToLeft = document.documentElement.dir === 'rtl'
    return { ...edges, [isRightToLeft ? 'right' : 'left']: panelPx + edgePx }
  }, [isDesktop, isSheetFull])
}

/** Looks once, when everything for it is there. Returns what says that somebody else has done so. */
export function useFirstLook(isThere: boolean, look: () => void): () => void {
  const hasLooked = useRef(false)
  const first = useEffectEvent(() => {
    if (!hasLooked.current) look()
    hasLooked.current = true
  })
  useEffect(() => {
    if (isThere) first()
  }, [isThere])
  return () => (hasLooked.current = true)
}
