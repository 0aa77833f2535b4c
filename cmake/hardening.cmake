# Hardening: what makes a fault that is left harder to use.  Each where the compiler or linker has it.
#
#   stack protector, stack clash     a frame that was overrun ends the process; large frames touch every page
#   _FORTIFY_SOURCE                  copies and formats whose room the compiler knows are checked
#   relro, now                       tables of addresses cannot be written once the program runs
#   branch protection                an indirect jump lands only where one is meant to (CET, x86)
#
# Shadow stacks (CET's other half) are left out: the emulator's lanes switch stacks by themselves, and no
# call returns to where the shadow has it (src/machine/lanes.h).
#
# In: clearway_flags, for which flags.cmake includes this.

include(CheckCCompilerFlag)
include(CheckLinkerFlag)
include(CheckPIESupported)
check_pie_supported(LANGUAGES C)

foreach(flag -fstack-protector-strong -fstack-clash-protection -fcf-protection=branch)
    string(MAKE_C_IDENTIFIER CLEARWAY${flag} has)
    check_c_compiler_flag("-Werror ${flag}" ${has})
    if(${has})
        target_compile_options(clearway_flags INTERFACE $<$<COMPILE_LANGUAGE:C>:${flag}>)
    endif()
endforeach()

# It needs an optimizing build; sanitizers look closer than it does.
set(fast $<AND:$<COMPILE_LANGUAGE:C>,$<CONFIG:Release,RelWithDebInfo,MinSizeRel>>)
target_compile_options(clearway_flags INTERFACE
    $<${fast}:-U_FORTIFY_SOURCE> $<${fast}:-D_FORTIFY_SOURCE=3>)

add_library(clearway_link_flags INTERFACE)
foreach(flag relro now noexecstack)
    check_linker_flag(C "LINKER:-z,${flag}" CLEARWAY_Z_${flag})
    if(CLEARWAY_Z_${flag})
        target_link_options(clearway_link_flags INTERFACE LINKER:-z,${flag})
    endif()
endforeach()
