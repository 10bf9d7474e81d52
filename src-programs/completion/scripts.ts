/** The output of `stagedoor completion`: scripts that call `stagedoor __complete` for the possible next words. */

const bash = `# Completion of stagedoor for bash 3.2 and later. For this shell: eval "$(stagedoor completion bash)"
_stagedoor() {
  local i line word whole prefix words=()
  # Bash takes --app=x for three words.
  for ((i = 1; i <= COMP_CWORD; i++)); do
    word=\${COMP_WORDS[i]}
    if ((i > 1)) && [[ $word == [=:@] || \${COMP_WORDS[i - 1]} == [=:@] ]]; then
      words[\${#words[@]} - 1]+=$word
    else
      words+=("$word")
    fi
  done
  [[ $word == [=:@] ]] && word=
  whole=\${words[\${#words[@]} - 1]}
  prefix=\${whole%"$word"}
  COMPREPLY=()
  while IFS= read -r line; do
    line=\${line%%$'\\t'*}
    if [[ $line == :files ]]; then
      compopt -o default 2>/dev/null || while IFS= read -r line; do COMPREPLY+=("$line"); done < <(compgen -f -- "$word")
    elif [[ $line == "$whole"* ]]; then
      COMPREPLY+=("\${line#"$prefix"}")
    fi
  done < <("$1" __complete -- "\${words[@]}" 2>/dev/null)
}
complete -F _stagedoor stagedoor
`;

const zsh = `#compdef stagedoor
# Completion of stagedoor for zsh. For this shell, after compinit: source <(stagedoor completion zsh)
_stagedoor() {
  local line
  local -a found
  for line in "\${(@f)$("\${(Q)words[1]}" __complete -- "\${(@Q)words[2,CURRENT]}" 2>/dev/null)}"; do
    if [[ $line == :files* ]]; then
      compset -P '--*='
      _files
    elif [[ -n $line ]]; then
      found+=("\${\${line%%$'\\t'*}//:/\\\\:}:\${line#*$'\\t'}")
    fi
  done
  (( \${#found} )) && _describe stagedoor found
}
if [[ \${funcstack[1]} == _stagedoor ]]; then _stagedoor "$@"; else compdef _stagedoor stagedoor; fi
`;

const fish = `# Completion of stagedoor for fish. For this shell: stagedoor completion fish | source
function __stagedoor_complete
    set -l words (commandline -opc) (commandline -ct)
    for line in (command $words[1] __complete -- $words[2..-1] 2>/dev/null)
        if string match -q ':files*' -- $line
            __fish_complete_path (string replace -r -- '^--[^=]*=' '' (commandline -ct))
        else
            echo $line
        end
    end
end
complete -c stagedoor -f -k -a '(__stagedoor_complete)'
`;

/** The scripts by shell. */
export const COMPLETION_SCRIPTS = { bash, zsh, fish } as const;
