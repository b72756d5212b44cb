import type { LucideIcon } from 'lucide-react'
import { useRef, useState, type ReactNode } from 'react'
import { buttonClass, buttonName, type ButtonLook } from './button.tsx'
import { Floating } from './floating.tsx'

export interface PopoverProps {
  /** Name of what opens, and of an icon button. */
  label: string
  /** Words on the button; none makes an icon button. */
  button?: ReactNode
  icon?: LucideIcon | undefined
  look?: ButtonLook | undefined
  /** Classes of the button instead of the button look. */
  buttonClassName?: string | undefined
  align?: 'start' | 'center' | 'end' | undefined
  /** Pixels. */
  width?: number | undefined
  /** Gets the focus when it opens: a selector inside; the first control otherwise. */
  focusOn?: string | undefined
  /** Called with a function that closes it. */
  children: (close: () => void) => ReactNode
}

/** A button that opens a small surface with controls. */
export function Popover(props: PopoverProps) {
  const { label, button, icon: Icon, look, buttonClassName, align, width = 280, children } = props
  const { focusOn = 'input, select, textarea, button, a[href]' } = props
  const anchor = useRef<HTMLButtonElement>(null)
  const [isOpen, setOpen] = useState(false)
  const isIconOnly = button === undefined
  const close = () => setOpen(false)
  const finish = () => {
    close()
    anchor.current?.focus({ preventScroll: true })
  }
  return (
    <>
      <button
        ref={anchor}
        type="button"
        className={buttonClassName ?? (isIconOnly ? 'icon-btn' : buttonClass(look))}
        aria-label={buttonName(label, button)}
        title={isIconOnly ? label : undefined}
        aria-haspopup="dialog"
        aria-expanded={isOpen}
        onClick={() => setOpen(!isOpen)}
      >
        {Icon && <Icon size={isIconOnly ? 18 : 16} aria-hidden />}
        {button}
      </button>
      {isOpen && (
        <Floating {...{ anchor, label, align, width, focusOn }} onClose={close} role="dialog" className="p-3">
          <PopoverContent render={children} close={finish} />
        </Floating>
      )}
    </>
  )
}

function PopoverContent({ render, close }: { render: PopoverProps['children']; close: () => void }) {
  return render(close)
}
