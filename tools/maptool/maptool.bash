# SPDX-License-Identifier: MIT
# Completion of maptool for bash. It knows no command and no option: it reads what `maptool help`
# and `maptool help COMMAND` print, so that it fits whatever maptool is there.

# _maptool_commands PROGRAM
_maptool_commands()
{
	"$1" help 2>/dev/null | sed -n 's/^  \([a-z][a-z-]*\)  .*/\1/p'
}

# _maptool_options HELP: its options, one a line, each with the names of its values.
_maptool_options()
{
	sed -n -e 's/^  -[A-Za-z], /      /' -e 's/  *$//' \
		-e 's/^      \(--[a-z].*\)/\1/p' <<<"$1" | sed 's/  .*//'
}

# _maptool_value HELP WORD...: the name of the value that the last word is, such as FILE or
# set|position; nothing when it belongs to no option. An option has two values at most.
_maptool_value()
{
	local help=$1 option name values at
	shift
	for at in 1 2; do
		[ $# -gt $at ] || return
		option=${@:$#-at:1}
		[ "$option" != -o ] || option=--output
		[[ $option == --* ]] || continue
		while read -r name values; do
			[ "$name" != "$option" ] || cut -s -d ' ' -f $at <<<"$values "
		done < <(_maptool_options "$help")
		return
	done
}

# _maptool_offer WORD START...: those that go on from the word under the cursor.
_maptool_offer()
{
	local word=$1
	shift
	COMPREPLY=($(compgen -W "$*" -- "$word"))
}

# _maptool_place KIND WORD PROGRAM: what can stand in the place of KIND.
_maptool_place()
{
	case $1 in
	*FILE* | *MAP* | *OLD* | *NEW*) compopt -o default ;;
	*COMMAND*) _maptool_offer "$2" $(_maptool_commands "$3") ;;
	*[a-z]*\|*) _maptool_offer "$2" ${1//|/ } ;;
	esac
}

_maptool()
{
	local program=${COMP_WORDS[0]/#\~/$HOME} words=() word help value

	# --report=js is three words to bash.
	for word in "${COMP_WORDS[@]:0:COMP_CWORD+1}"; do
		[ "$word" = = ] || words+=("$word")
	done
	[ "$word" != = ] || words+=("")
	[ "$word" != = ] || word=

	COMPREPLY=()
	if [ ${#words[@]} -le 2 ]; then
		_maptool_place COMMAND "$word" "$program"
		return
	fi
	help=$("$program" help "${words[1]}" 2>/dev/null) || return
	value=$(_maptool_value "$help" "${words[@]}")
	if [ -n "$value" ]; then
		_maptool_place "$value" "$word" "$program"
	elif [[ $word == -* ]]; then
		_maptool_offer "$word" --help \
			$(_maptool_options "$help" | cut -d ' ' -f 1)
	else
		# After "usage: maptool COMMAND [OPTIONS]".
		help=${help%%$'\n'*}
		help=${help#usage: maptool * }
		_maptool_place "${help#\[OPTIONS\]}" "$word" "$program"
	fi
}

complete -F _maptool maptool
