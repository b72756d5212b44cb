import {
  useEffect,
  useEffectEvent,
  useLayoutEffect,
  useRef,
  type KeyboardEvent,
  type ReactNode,
  type RefObject,
} from 'react'
import { classNames } from './class-names.ts'
import { placeBeside } from './place-beside.ts'

export interface FloatingProps {
  /** Escape, a press elsewhere, or the focus gone elsewhere. */
  onClose: () => void
  /** The element it is placed next to; a press there does not close it, since the button does. */
  anchor: RefObject<HTMLElement | null>
  /** Name of a dialog or menu; none for what is only a frame. */
  label?: string | undefined
  role: 'dialog' | 'menu' | 'presentation'
  align?: 'start' | 'center' | 'end' | undefined
  /** Pixels; `anchor` = as wide as its anchor. */
  width?: number | 'anchor' | undefined
  className?: string | undefined
  /** Gets the focus: a selector inside; none leaves the focus where it is, both ways. */
  focusOn?: string | undefined
  onKeyDown?: ((event: KeyboardEvent) => void) | undefined
  children: ReactNode
}

/**
 * A surface next to an anchor, in the browser's top layer: never clipped by what scrolls, and it stays where it is in the
 * document, so that Tab order, landmarks and the focus of a dialog around it stay right.
 */
export function Floating(props: FloatingProps) {
  const { onClose, anchor, label, role, align = 'start', width, className, focusOn, onKeyDown, children } = props
  const surface = useRef<HTMLDivElement>(null)
  useLayoutEffect(() => {
    const node = surface.current
    if (!node) return undefined
    node.showPopover()
    return keepBeside(node, anchor, align)
  }, [anchor, align])
  const takeFocus = useEffectEvent(() => {
    if (focusOn === undefined) return
    const node = surface.current
    const first = node?.querySelector<HTMLElement>(focusOn) ?? node
    first?.focus({ preventScroll: true })
  })
  const giveBack = useEffectEvent(() => {
    if (focusOn !== undefined) anchor.current?.focus({ preventScroll: true })
  })
  useEffect(() => {
    takeFocus()
  }, [])
  const onPressElsewhere = useEffectEvent((event: PointerEvent) => {
    const { target } = event
    if (!(target instanceof Node) || surface.current?.contains(target) || anchor.current?.contains(target)) return
    onClose()
  })
  useEffect(() => {
    const listen = (event: PointerEvent) => onPressElsewhere(event)
    document.addEventListener('pointerdown', listen, true)
    return () => document.removeEventListener('pointerdown', listen, true)
  }, [])
  return (
    // eslint-disable-next-line jsx-a11y/no-static-element-interactions, jsx-a11y/click-events-have-key-events -- keys and presses stay inside; the controls in it act
    <div
      ref={surface}
      popover="manual"
      role={role}
      aria-label={label}
      tabIndex={-1}
      className={classNames('pop floating', className)}
      style={{ width: width === 'anchor' ? 'var(--anchor-width)' : width }}
      // Its ancestors (a table row, a drawer) must not handle a press or a key in it.
      onClick={(event) => event.stopPropagation()}
      onKeyDown={(event) => {
        if (event.ctrlKey || event.metaKey) return
        event.stopPropagation()
        if (event.key === 'Escape') {
          event.preventDefault()
          onClose()
          giveBack()
        } else onKeyDown?.(event)
      }}
      onBlur={({ relatedTarget, currentTarget }) => {
        if (relatedTarget === null || currentTarget.contains(relatedTarget) || anchor.current?.contains(relatedTarget))
          return
        onClose()
      }}
    >
      {children}
    </div>
  )
}

/** Places it now and whenever something moves; returns what stops that. */
function keepBeside(node: HTMLElement, anchor: RefObject<HTMLElement | null>, align: 'start' | 'center' | 'end') {
  const place = () => {
    if (!anchor.current) return
    const box = anchor.current.getBoundingClientRect()
    node.style.setProperty('--anchor-width', `${Math.max(220, Math.round(box.width))}px`)
    node.style.maxHeight = ''
    const { offsetWidth: width, scrollHeight } = node
    const placed = placeBeside({
      anchor: box,
      // The borders are not part of the scroll height.
      size: { width, height: scrollHeight + 2 },
      window: { width: document.documentElement.clientWidth, height: innerHeight },
      align,
      isRtl: getComputedStyle(node).direction === 'rtl',
    })
    node.style.left = `${placed.left}px`
    node.style.top = `${placed.top}px`
    node.style.maxHeight = `${placed.maxHeight}px`
  }
  place()
  const resized = new ResizeObserver(place)
  resized.observe(node)
  window.addEventListener('resize', place)
  document.addEventListener('scroll', place, { capture: true, passive: true })
  return () => {
    resized.disconnect()
    window.removeEventListener('resize', place)
    document.removeEventListener('scroll', place, { capture: true })
  }
}
