/**
 * The completion script for bash: it needs nothing but bash, hands the words over as they stand,
 * and evaluates none of them.
 */
export const bashCompletion: string = `# bash completion for connectors
_connectors() {
  local word line
  local -a words=()
  # bash splits at = and : unless told otherwise; what it split is put together again.
  for word in "\${COMP_WORDS[@]:1:COMP_CWORD}"; do
    if [[ \${#words[@]} -gt 0 && ( "$word" == [=:]* || "\${words[-1]}" == *[=:] ) ]]; then
      words[-1]+="$word"
    else
      words+=("$word")
    fi
  done
  COMPREPLY=()
  while IFS=$'\\t' read -r word line; do
    [[ "$word" == :[0-9]* || -z "$word" ]] || COMPREPLY+=("$word")
  done < <(connectors complete -- "\${words[@]}" 2>/dev/null)
}
complete -o default -F _connectors connectors
`;
