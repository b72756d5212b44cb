/** Keys of a shortcut, `<Kbd keys={['Ctrl', 'K']} />`. */
export function Kbd({ keys }: { keys: readonly string[] }) {
  return (
    <span className="inline-flex gap-1">
      {keys.map((key) => (
        <kbd key={key} className="kbd">
          {key}
        </kbd>
      ))}
    </span>
  )
}
